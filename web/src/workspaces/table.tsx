/** The rows, as a table or on narrow screens as a list of two lines; by keyboard as by pointer. */
import { Menu } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { included } from '../api/documents.ts';
import { useKeys } from '../frame/keys.ts';
import { paths } from '../paths.ts';
import { workspace as words } from '../texts/workspace.ts';
import { workspaces as text } from '../texts/workspaces.ts';
import { useCopy } from '../ui/copy.tsx';
import { Icon } from '../ui/icon.tsx';
import { Time } from '../ui/time.tsx';
import type { Sort } from './address.ts';
import type { Column, Room } from './columns.tsx';
import type { Selection } from './selection.ts';
import { LockMark, RunStatus } from './status.tsx';
import { Tags } from './tags-cell.tsx';
import type { Workspace, WorkspaceList } from './workspaces.ts';

interface Props {
  organization: string;
  list: WorkspaceList;
  columns: readonly Column[];
  sort: Sort;
  onSort: (sort: Sort) => void;
  selection: Selection;
}

export function WorkspaceTable(props: Props) {
  const isNarrow = useMediaQuery('(max-width: 64rem)', false, { getInitialValueInEffect: false });
  return isNarrow ? <NarrowList {...props} /> : <WideTable {...props} />;
}

function useRoom(): Room {
  const isRoomy = useMediaQuery('(min-width: 105rem)', true, { getInitialValueInEffect: false });
  const isEnough = useMediaQuery('(min-width: 77rem)', true, { getInitialValueInEffect: false });
  return isRoomy ? 'roomy' : isEnough ? 'narrow' : 'least';
}

/** Where what does not fit can be had by a press or a hover. */
const cutColumns: readonly string[] = ['tags', 'lock'];

function WideTable({ organization, list, columns, sort, onSort, selection }: Props) {
  const rows = list.data;
  const [active, setActive] = useRowKeys(organization, rows, selection);
  const room = useRoom();
  const chosen = rows.filter(({ id }) => selection.has(id)).length;
  const entries = rows.map(({ id, attributes }) => [id, attributes.name] as const);
  return (
    <table className="table">
      <caption className="hidden-text">{text.caption(organization)}</caption>
      <thead>
        <tr>
          <th scope="col" className="select-cell">
            <Check
              label={text.selectPage(rows.length)}
              checked={chosen === rows.length}
              isPart={chosen > 0 && chosen < rows.length}
              onChange={isOn => selection.set(entries, isOn)}
            />
          </th>
          {columns.map(column => (
            <HeadCell key={column.key} column={column} room={room} sort={sort} onSort={onSort} />
          ))}
          <th scope="col" className="actions-cell">
            <span className="hidden-text">{text.column.actions}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((workspace, index) => {
          const { id, attributes } = workspace;
          return (
            <tr
              key={id}
              data-selected={selection.has(id) || undefined}
              data-active={index === active || undefined}
              onFocus={() => setActive(index)}
            >
              <td className="select-cell">
                <Check
                  label={text.select(attributes.name)}
                  checked={selection.has(id)}
                  onChange={isOn => selection.set([[id, attributes.name]], isOn)}
                />
              </td>
              {columns.map(column => (
                <td
                  key={column.key}
                  className={cutColumns.includes(column.key) ? 'cut' : ''}
                  id={column.key === 'name' ? `row-${index}` : undefined}
                >
                  {column.cell(workspace, list, organization, room)}
                </td>
              ))}
              <td className="actions-cell">
                <RowMenu organization={organization} workspace={workspace} />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function HeadCell({
  column: { key, width: roomy, narrow = roomy, least = narrow, sort: by },
  room,
  sort,
  onSort,
}: {
  column: Column;
  room: Room;
  sort: Sort;
  onSort: Props['onSort'];
}) {
  const width = { roomy, narrow, least }[room];
  const isUp = sort === by;
  const isDown = sort === `-${by}`;
  if (!by)
    return (
      <th scope="col" style={{ width }}>
        {text.column[key]}
      </th>
    );
  const next = (isDown || (by === 'name' && !isUp) ? by : `-${by}`) as Sort;
  return (
    <th scope="col" style={{ width }} aria-sort={isUp ? 'ascending' : isDown ? 'descending' : undefined}>
      <button type="button" onClick={() => onSort(next)}>
        {text.column[key]}
        {(isUp || isDown) && <Icon name={isUp ? 'up' : 'sortdown'} size={14} />}
      </button>
    </th>
  );
}

/** j and k move, x selects, Shift x selects up to the row, Enter opens, c copies the id. */
function useRowKeys(organization: string, rows: Workspace[], selection: Selection): [number, (index: number) => void] {
  const [active, setActive] = useState(-1);
  const [anchor, setAnchor] = useState(0);
  const [, copy] = useCopy();
  const navigate = useNavigate();
  const at = rows[active];
  const move = (step: number) => {
    const next = Math.max(0, Math.min(rows.length - 1, active + step));
    setActive(next);
    document.querySelector<HTMLElement>(`#row-${next} a`)?.focus();
  };
  useKeys({
    down: () => move(1),
    up: () => move(-1),
    open: () => at && void navigate({ to: paths.workspace(organization, at.attributes.name) }),
    copyId: () => at && copy(at.id),
    select: () => {
      if (!at) return;
      setAnchor(active);
      selection.set([[at.id, at.attributes.name]], !selection.has(at.id));
    },
    selectRange: () => {
      const [from, to] = [Math.min(anchor, active), Math.max(anchor, active)];
      selection.set(
        rows.slice(from, to + 1).map(({ id, attributes }) => [id, attributes.name]),
        true,
      );
    },
  });
  return [active, setActive];
}

interface CheckProps {
  label: string;
  checked: boolean;
  /** Whether some of what it stands for is chosen, and some not. */
  isPart?: boolean;
  onChange: (isOn: boolean) => void;
}

/** Of the browser itself: a hundred of them cost nothing to draw. */
function Check({ label, checked, isPart = false, onChange }: CheckProps) {
  return (
    <input
      type="checkbox"
      className="check"
      aria-label={label}
      checked={checked}
      ref={box => {
        if (box) box.indeterminate = isPart;
      }}
      onChange={event => onChange(event.currentTarget.checked)}
    />
  );
}

interface RowMenuProps {
  organization: string;
  workspace: Workspace;
}

/** A menu is made when it is first opened: twenty that nobody opens would be half the time in which the rows are drawn. */
function RowMenu(props: RowMenuProps) {
  const [isMade, setMade] = useState(false);
  if (isMade) return <MadeRowMenu {...props} />;
  return (
    <button
      type="button"
      className="copy"
      aria-haspopup="menu"
      aria-label={text.actionsOf(props.workspace.attributes.name)}
      onClick={() => setMade(true)}
    >
      <Icon name="more" />
    </button>
  );
}

function MadeRowMenu({ organization, workspace: { id, attributes } }: RowMenuProps) {
  const [, copy] = useCopy();
  const navigate = useNavigate();
  const to = paths.workspace(organization, attributes.name);
  return (
    <Menu defaultOpened>
      <Menu.Target>
        {/* biome-ignore lint/a11y/noAutofocus: it stands in for the button that was pressed, and had the focus. */}
        <button type="button" className="copy" aria-label={text.actionsOf(attributes.name)} autoFocus>
          <Icon name="more" />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void navigate({ to })}>{text.open}</Menu.Item>
        <Menu.Item onClick={() => copy(id)}>{text.copyId}</Menu.Item>
        <Menu.Item onClick={() => copy(`${window.location.origin}/app${to}`)}>{text.copyAddress}</Menu.Item>
        <Menu.Item onClick={() => void navigate({ to: paths.workspaceSettings(organization, attributes.name) })}>
          {words.tabs.settings}
        </Menu.Item>
        <Menu.Item onClick={() => void navigate({ to: `${paths.audit(organization)}?record=workspaces:${id}` })}>
          {text.auditOf}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function NarrowList({ organization, list, selection }: Props) {
  return (
    <ul aria-label={text.caption(organization)}>
      {list.data.map(workspace => {
        const { id, attributes, relationships } = workspace;
        return (
          <li key={id} className="narrow-row" data-selected={selection.has(id) || undefined}>
            <Check
              label={text.select(attributes.name)}
              checked={selection.has(id)}
              onChange={isOn => selection.set([[id, attributes.name]], isOn)}
            />
            <div className="grow">
              <Link className="name strong anywhere" to={paths.workspace(organization, attributes.name)}>
                {attributes.name}
              </Link>
              <div className="line wrap">
                <RunStatus run={included(list, relationships['current-run'], 'runs')} />
                {attributes.locked && <LockMark workspace={workspace} document={list} />}
                <span className="grow" />
                <span className="faint small">
                  <Time at={attributes['latest-change-at']} />
                </span>
              </div>
              <div className="line">
                <span className="muted small">
                  {included(list, relationships.project, 'projects')?.attributes.name}
                </span>
                <Tags workspace={workspace} list={list} shown={1} />
              </div>
            </div>
            <RowMenu organization={organization} workspace={workspace} />
          </li>
        );
      })}
    </ul>
  );
}
