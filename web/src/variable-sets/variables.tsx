/** The variables of a set. */
import { useState } from 'react';
import { answer, api } from '../api/client.ts';
import { variables as words } from '../texts/variables.ts';
import { RecordList } from '../ui/record-list.tsx';
import { VariableDialog } from '../variables/edit.tsx';
import { attributesOf, type Draft, emptyVariable, type Variable } from '../variables/variables.ts';
import { changed, listed } from './sets.ts';

export function SetVariables({ id, variables, mayChange }: { id: string; variables: Variable[]; mayChange: boolean }) {
  const [open, setOpen] = useState<Variable | 'new' | null>(null);
  const at = { params: { path: { variable_set_id: id } } };
  const save = async (draft: Draft) => {
    if (open === 'new')
      await answer(
        api.POST('/varsets/{variable_set_id}/relationships/vars', {
          ...at,
          body: { data: { type: 'vars', attributes: attributesOf(draft, true) } } as never,
        }),
      );
    else if (open)
      await answer(
        api.PATCH('/varsets/{variable_set_id}/relationships/vars/{variable_id}', {
          params: { path: { variable_set_id: id, variable_id: open.id } },
          body: { data: { type: 'vars', attributes: attributesOf(draft, false) } } as never,
        }),
      );
    await changed();
  };
  return (
    <>
      <RecordList
        title={words.title}
        query={listed(variables)}
        none={words.empty}
        add={mayChange && { label: words.add, onClick: () => setOpen('new') }}
        row={variable => (
          <>
            <button type="button" className="link mono" disabled={!mayChange} onClick={() => setOpen(variable)}>
              {variable.attributes.key}
            </button>
            <span className="mono cut grow">
              {variable.attributes.sensitive ? words.hidden : variable.attributes.value}
            </span>
            <span className="muted">{words.categories[variable.attributes.category]}</span>
          </>
        )}
        removal={
          mayChange && {
            label: ({ attributes }) => words.delete(attributes.key),
            title: ({ attributes }) => words.deleteQuestion(attributes.key),
            ends: <p>{words.deleteDetail}</p>,
            submit: words.deleteSubmit,
            remove: variable =>
              answer(
                api.DELETE('/varsets/{variable_set_id}/relationships/vars/{variable_id}', {
                  params: { path: { variable_set_id: id, variable_id: variable.id } },
                }),
              ).then(changed),
          }
        }
      />
      {open && (
        <VariableDialog
          title={open === 'new' ? words.addSubmit : words.editTitle(open.attributes.key)}
          draft={open === 'new' ? emptyVariable : open.attributes}
          isNew={open === 'new'}
          onClose={() => setOpen(null)}
          onSave={save}
        />
      )}
    </>
  );
}
