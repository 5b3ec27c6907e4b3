/** The sidebar: which organization, its records, its people and settings, and who is signed in. */
import { Menu, useMantineColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { isInvitation, organizationOf, ownMembershipsQuery } from '../account/own-memberships.ts';
import { organizationQuery, organizationsQuery } from '../organizations/organizations.ts';
import { paths } from '../paths.ts';
import { useAccount } from '../session/account.ts';
import { signOut } from '../session/sign-out.ts';
import { memberships as words } from '../texts/account.ts';
import { frame as text } from '../texts/frame.ts';
import { Icon, type IconName } from '../ui/icon.tsx';
import { Mark, Wordmark } from '../ui/mark.tsx';
import { Avatar } from '../ui/parts.tsx';

interface Props {
  organization: string | undefined;
  isOpen: boolean;
  onLeave: () => void;
  onHelp: () => void;
}

export function Sidebar({ organization, isOpen, onLeave, onHelp }: Props) {
  const account = useAccount();
  const isAdministrator = account.data?.data.attributes['is-site-admin'];
  return (
    <aside
      className="side"
      data-open={isOpen || undefined}
      onClick={event => (event.target as Element).closest('a') && onLeave()}
      onKeyDown={event => event.key === 'Escape' && onLeave()}
    >
      <Link className="brand" to={paths.home()} aria-label="Terrane">
        <Mark />
        <Wordmark />
      </Link>
      <OrganizationMenu organization={organization} />
      {organization && <OrganizationNavigation organization={organization} />}
      <nav className="side-foot nav" aria-label={text.account}>
        {isAdministrator && <Item to={paths.admin('users')} icon="server" label={text.administration} />}
        <button type="button" onClick={onHelp}>
          <Icon name="help" />
          {text.help}
          <kbd>?</kbd>
        </button>
        <AccountMenu />
      </nav>
    </aside>
  );
}

function OrganizationNavigation({ organization }: { organization: string }) {
  const { data } = useQuery(organizationQuery(organization));
  const permissions = data?.data.attributes.permissions;
  return (
    <nav className="nav" aria-label={text.navigation}>
      <Item to={paths.workspaces(organization)} icon="workspaces" label={text.workspaces} />
      <Item to={paths.projects(organization)} icon="project" label={text.projects} />
      <Item to={paths.runs(organization)} icon="runs" label={text.runs} />
      <Item to={paths.variableSets(organization)} icon="braces" label={text.variableSets} />
      <div className="nav-head">{text.ofOrganization}</div>
      <Item to={paths.teams(organization)} icon="teams" label={text.teams} />
      <Item to={paths.members(organization)} icon="member" label={text.members} />
      {permissions?.['can-update'] && <Item to={paths.audit(organization)} icon="audit" label={text.audit} />}
      <Item
        to={paths.settings(organization)}
        below={`/${organization}/settings`}
        icon="settings"
        label={text.settings}
      />
    </nav>
  );
}

function Item({ to, icon, label, below }: { to: string; icon: IconName; label: string; below?: string }) {
  return (
    <Link to={below ?? to} activeProps={{ 'aria-current': 'page' }}>
      <Icon name={icon} />
      {label}
    </Link>
  );
}

function OrganizationMenu({ organization }: { organization: string | undefined }) {
  const { data: organizations = [] } = useQuery(organizationsQuery);
  const { data: memberships = [] } = useQuery(ownMembershipsQuery);
  const invitations = memberships.filter(isInvitation);
  const navigate = useNavigate();
  const name = organization ?? text.chooseOrganization;
  return (
    <Menu position="bottom-start" width="target">
      <Menu.Target>
        <button type="button" className="organization-button">
          <span className="hidden-text">{text.organization} </span>
          <span className="mark-square" aria-hidden="true">
            {(organization ?? '–').slice(0, 2)}
          </span>
          <span className="grow cut">{name}</span>
          {invitations.length > 0 && <span className="count-mark">{invitations.length}</span>}
          <Icon name="updown" className="faint" />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {organizations.length >= 8 && <Menu.Search placeholder={text.findOrganization} />}
        {organizations.map(({ id, attributes }) => (
          <Menu.Item
            key={id}
            leftSection={attributes.name === organization ? <Icon name="check" /> : <span className="icon" />}
            onClick={() => void navigate({ to: paths.workspaces(attributes.name) })}
          >
            {attributes.name}
          </Menu.Item>
        ))}
        {invitations.map(membership => (
          <Menu.Item
            key={membership.id}
            leftSection={<Icon name="member" />}
            onClick={() => void navigate({ to: paths.account('organizations') })}
          >
            {words.invitation(organizationOf(membership))}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="plus" />} onClick={() => void navigate({ to: paths.welcome() })}>
          {text.newOrganization}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function AccountMenu() {
  const { data } = useAccount();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const navigate = useNavigate();
  const name = data?.data.attributes.username ?? '';
  const schemes = [
    ['auto', text.system, 'device'],
    ['light', text.light, 'sun'],
    ['dark', text.dark, 'moon'],
  ] as const;
  return (
    <Menu position="top-start" width="target">
      <Menu.Target>
        <button type="button">
          <span className="hidden-text">{text.account} </span>
          <Avatar name={name} id={data?.data.id ?? ''} />
          <span className="cut">{name}</span>
          <Icon name="updown" className="end faint" />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Icon name="member" />} onClick={() => void navigate({ to: paths.account('profile') })}>
          {text.profile}
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="key" />} onClick={() => void navigate({ to: paths.account('tokens') })}>
          {text.tokens}
        </Menu.Item>
        <Menu.Label>{text.theme}</Menu.Label>
        {schemes.map(([scheme, label, icon]) => (
          <Menu.Item
            key={scheme}
            leftSection={<Icon name={icon} />}
            rightSection={colorScheme === scheme && <Icon name="check" />}
            closeMenuOnClick={false}
            onClick={() => setColorScheme(scheme)}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="signout" />} onClick={() => void signOut()}>
          {text.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
