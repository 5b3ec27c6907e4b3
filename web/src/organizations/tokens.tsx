/** …/settings/tokens: the organization's own token, and the one that reads the audit. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { answer, api, documentOf } from '../api/client.ts';
import { everyPage } from '../api/documents.ts';
import { ApiFailure } from '../api/failure.ts';
import { paths } from '../paths.ts';
import { teamsQuery } from '../teams/teams.ts';
import { tokens as text } from '../texts/people.ts';
import { type Token, TokenList } from '../tokens/token-list.tsx';
import { organizationQuery } from './organizations.ts';
import { TokenLives } from './token-lives.tsx';

export function OrganizationTokens({ organization }: { organization: string }) {
  const { data: found } = useQuery(organizationQuery(organization));
  const mayChange = found?.data.attributes.permissions['can-update-api-token'] ?? false;
  return (
    <>
      <OneToken
        organization={organization}
        title={text.organization}
        detail={text.organizationDetail}
        mayChange={mayChange}
      />
      <OneToken
        organization={organization}
        kind="audit-trails"
        title={text.auditTrail}
        detail={text.auditTrailDetail}
        mayChange={mayChange}
      />
      {mayChange && <TeamTokens organization={organization} />}
      <TokenLives organization={organization} />
    </>
  );
}

/** Those of every team, the ones that end soonest first. */
function TeamTokens({ organization }: { organization: string }) {
  const teams = useQuery(teamsQuery(organization));
  const teamOf = (id: string | undefined) => teams.data?.find(team => team.id === id)?.attributes.name;
  return (
    <TokenList
      title={text.teams}
      detail={text.teamsDetail}
      queryKey={['teams', organization]}
      read={() =>
        everyPage(page =>
          answer(
            api.GET('/organizations/{organization_name}/team-tokens', {
              params: { path: { organization_name: organization }, query: { 'page[number]': page, 'page[size]': 100 } },
            }),
          ),
        )
      }
      whose={{
        title: text.ofTeam,
        width: 'quarter',
        cell: ({ relationships }) => {
          const id = relationships.team?.data?.id;
          return id && <Link to={paths.team(organization, id)}>{teamOf(id) ?? id}</Link>;
        },
      }}
    />
  );
}

interface Props {
  organization: string;
  kind?: 'audit-trails';
  title: string;
  detail: string;
  mayChange: boolean;
}

/** There is one of each kind: making another replaces it. */
function OneToken({ organization, kind, title, detail, mayChange }: Props) {
  const at = { params: { path: { organization_name: organization }, query: { token: kind } } };
  const read = async (): Promise<Token[]> => {
    try {
      return [(await answer(api.GET('/organizations/{organization_name}/authentication-token', at))).data];
    } catch (caught) {
      if (caught instanceof ApiFailure && caught.status === 404) return [];
      throw caught;
    }
  };
  return (
    <TokenList
      title={title}
      detail={detail}
      queryKey={['organization', organization, kind ?? '']}
      read={read}
      create={
        mayChange &&
        (async attributes =>
          (
            await answer(
              api.POST('/organizations/{organization_name}/authentication-token', {
                ...at,
                body: documentOf('authentication-tokens', attributes),
              }),
            )
          ).data)
      }
      revoke={() => answer(api.DELETE('/organizations/{organization_name}/authentication-token', at))}
    />
  );
}
