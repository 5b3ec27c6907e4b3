/** What can be done with the chosen workspaces, at the foot of the list. */
import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { everyPage } from '../api/documents.ts';
import { workspaces as text } from '../texts/workspaces.ts';
import { Icon, type IconName } from '../ui/icon.tsx';
import type { ListAddress } from './address.ts';
import type { BulkAct } from './bulk-dialog.tsx';
import type { Selection } from './selection.ts';
import { listWorkspaces } from './workspaces.ts';

const BulkDialog = lazy(() => import('./bulk-dialog.tsx'));

interface Props {
  organization: string;
  selection: Selection;
  address: ListAddress;
  projectId: string | null;
  total: number;
}

/** The most that "Select all" takes in one go. */
const mostSelected = 1000;

const acts: [BulkAct, IconName, string][] = [
  ['lock', 'lock', text.lock],
  ['unlock', 'unlock', text.unlock],
  ['tags', 'tag', text.addTags],
  ['move', 'move', text.move],
];

export function SelectionBar({ organization, selection, address, projectId, total }: Props) {
  const [act, setAct] = useState<BulkAct | null>(null);
  const [isBusy, setBusy] = useState(false);
  const { size } = selection.chosen;
  if (size === 0) return null;
  const selectAll = async () => {
    setBusy(true);
    try {
      const read = (page: number) => listWorkspaces(organization, { ...address, page, size: 100 }, projectId);
      const found = await everyPage(read, mostSelected);
      selection.set(
        found.map(({ id, attributes }) => [id, attributes.name]),
        true,
      );
    } finally {
      setBusy(false);
    }
  };
  const all = Math.min(total, mostSelected);
  return (
    <>
      <fieldset
        className="selection-bar"
        aria-label={text.selected(size)}
        onKeyDown={event => event.key === 'Escape' && selection.clear()}
      >
        <span className="strong nowrap selection-count" role="status">
          {text.selected(size)}
        </span>
        {all > size && (
          <Button variant="subtle" loading={isBusy} onClick={() => void selectAll()}>
            {text.selectAll(all)}
          </Button>
        )}
        <span className="rule" />
        {acts.map(([name, icon, label]) => (
          <Button key={name} variant="subtle" leftSection={<Icon name={icon} />} onClick={() => setAct(name)}>
            {label}
          </Button>
        ))}
        <span className="rule" />
        <Button variant="subtle" onClick={selection.clear}>
          {text.clear}
        </Button>
      </fieldset>
      {act && (
        <Suspense>
          <BulkDialog
            act={act}
            organization={organization}
            targets={[...selection.chosen].map(([id, name]) => ({ id, name }))}
            onClose={() => setAct(null)}
          />
        </Suspense>
      )}
    </>
  );
}
