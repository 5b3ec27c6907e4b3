/** A button that is never dead: what the caller may not do is dashed, and says why and who can. */
import { Button, type ButtonProps, Popover } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { explanationQuery, type Wish } from '../api/explanation.ts';
import { common } from '../texts/common.ts';
import { useCopy } from './copy.tsx';
import { Icon, type IconName } from './icon.tsx';

export interface Missing {
  /** What the caller would like to do, as a verb and its object in lower case. */
  act: string;
  /** The permission that it needs, as the API calls it. */
  permission: string;
  organization: string;
  /** What it is about: the server then says what would give it, and who could. */
  wish?: Wish;
}

interface Props extends Pick<ButtonProps, 'size' | 'variant' | 'loading' | 'fullWidth'> {
  allowed: boolean;
  /** Whether somebody came here to do it: who may not is told why at once. */
  isAsked?: boolean;
  missing: Missing;
  icon?: IconName;
  children: ReactNode;
  onClick: () => void;
}

export function Act({
  allowed,
  isAsked = false,
  missing,
  icon,
  children,
  onClick,
  variant = 'default',
  ...rest
}: Props) {
  const [opened, setOpened] = useState(false);
  const left = icon && <Icon name={icon} />;
  useEffect(() => setOpened(isAsked), [isAsked]);
  if (allowed)
    return (
      <Button variant={variant} leftSection={left} onClick={onClick} {...rest}>
        {children}
      </Button>
    );
  return (
    <Popover opened={opened} onChange={setOpened} width={360} position="bottom-end" trapFocus>
      <Popover.Target>
        <Button
          variant="default"
          leftSection={left}
          aria-disabled="true"
          title={common.why.question(missing.act)}
          onClick={() => setOpened(!opened)}
          {...rest}
        >
          {children}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <WhyNot missing={missing} />
      </Popover.Dropdown>
    </Popover>
  );
}

export function WhyNot({ missing: { act, permission, organization, wish } }: { missing: Missing }) {
  const [copied, copy] = useCopy();
  const { data: why } = useQuery(explanationQuery(wish));
  const levels = [...new Set(why?.ways.flatMap(way => way.levels) ?? [])];
  const keys = [...new Set(why?.ways.flatMap(way => way.keys) ?? [])];
  const givers = why?.givers.map(({ name }) => name) ?? [];
  const text = common.why.request(act, `in ${organization}`, permission, window.location.href);
  return (
    <div className="stack tight">
      <h3>{common.why.question(act)}</h3>
      <ul className="steps">
        <li>
          <Icon name="x" className="bad" />
          <span>
            {common.why.missing}: <span className="mono">{permission}</span>
          </span>
        </li>
        {levels.length > 0 && (
          <li>
            <Icon name="info" />
            <span>{common.why.levels(levels.join(', '))}</span>
          </li>
        )}
        {keys.length > 0 && (
          <li>
            <Icon name="info" />
            <span>
              {common.why.keys} <span className="mono">{keys.join(', ')}</span>
            </span>
          </li>
        )}
        <li>
          <Icon name="shield" />
          <span>{givers.length > 0 ? common.why.givers(givers.join(', ')) : common.why.who(organization)}</span>
        </li>
      </ul>
      <div>
        <Button size="xs" variant="default" leftSection={<Icon name="copy" size={14} />} onClick={() => copy(text)}>
          {copied ? common.copied : common.why.copyRequest}
        </Button>
      </div>
    </div>
  );
}
