/** …/variables: the workspace's own, then what sets give it. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { variables as text } from '../texts/variables.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { Loaded, Skeleton } from '../ui/loaded.tsx';
import { Card, Empty } from '../ui/parts.tsx';
import { useWorkspace } from '../workspaces/workspace.ts';
import { VariableDialog } from './edit.tsx';
import { PasteDialog } from './paste.tsx';
import { VariableTable } from './table.tsx';
import {
  createVariable,
  deleteVariable,
  emptyVariable,
  readVariable,
  updateVariable,
  type Variable,
  variablesQuery,
} from './variables.ts';

type Open = { act: 'add' | 'paste' } | { act: 'edit' | 'delete'; variable: Variable } | null;

export function VariablesScreen() {
  const { query } = useWorkspace();
  const [open, setOpen] = useState<Open>(null);
  const workspace = query.data?.data;
  const permissions = workspace?.attributes.permissions;
  const mayRead = permissions?.['can-read-variable'] ?? false;
  const mayChange = permissions?.['can-update-variable'] ?? false;
  const id = workspace?.id ?? '';
  const variables = useQuery(variablesQuery(mayRead ? id : ''));
  if (!workspace) return null;
  if (!mayRead) return <Empty title={text.forbidden} />;
  const acts = mayChange && (
    <span className="line">
      <Button size="xs" variant="default" onClick={() => setOpen({ act: 'paste' })}>
        {text.paste}
      </Button>
      <Button
        size="xs"
        variant="filled"
        leftSection={<Icon name="plus" size={14} />}
        onClick={() => setOpen({ act: 'add' })}
      >
        {text.add}
      </Button>
    </span>
  );
  const changing = mayChange && {
    onEdit: (variable: Variable) => setOpen({ act: 'edit', variable }),
    onDelete: (variable: Variable) => setOpen({ act: 'delete', variable }),
  };
  return (
    <div className="stack">
      <Loaded query={variables} skeleton={<Skeleton />}>
        {({ own, fromSets }) => (
          <>
            <Card title={text.own} action={acts} flush>
              {own.length === 0 ? (
                <Empty title={text.empty}>
                  <p>{text.emptyDetail}</p>
                </Empty>
              ) : (
                <VariableTable caption={text.own} variables={own} {...changing} />
              )}
            </Card>
            {fromSets.length > 0 && (
              <Card title={text.fromSets} flush>
                <VariableTable caption={text.fromSets} variables={fromSets} overriding={own} />
              </Card>
            )}
          </>
        )}
      </Loaded>
      <Dialogs id={id} open={open} onClose={() => setOpen(null)} />
    </div>
  );
}

function Dialogs({ id, open, onClose }: { id: string; open: Open; onClose: () => void }) {
  if (open?.act === 'add')
    return (
      <VariableDialog
        title={text.addSubmit}
        draft={emptyVariable}
        onClose={onClose}
        onSave={draft => createVariable(id, { ...emptyVariable, ...draft })}
      />
    );
  if (open?.act === 'paste') return <PasteDialog onClose={onClose} onSave={draft => createVariable(id, draft)} />;
  if (open?.act === 'edit')
    return (
      <VariableDialog
        title={text.editTitle(open.variable.attributes.key)}
        draft={open.variable.attributes}
        read={() => readVariable(id, open.variable.id)}
        onClose={onClose}
        onSave={(changes, meant) => updateVariable(id, open.variable.id, changes, meant)}
      />
    );
  if (open?.act === 'delete')
    return (
      <Dialog
        danger
        opened
        title={text.deleteQuestion(open.variable.attributes.key)}
        onClose={onClose}
        submit={text.deleteSubmit}
        onSubmit={() => deleteVariable(id, open.variable.id).then(onClose)}
      >
        <p>{text.deleteDetail}</p>
      </Dialog>
    );
  return null;
}
