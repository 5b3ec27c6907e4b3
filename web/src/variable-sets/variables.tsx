/** The variables of a set. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api, documentOf } from '../api/client.ts';
import { variables as words } from '../texts/variables.ts';
import { RecordList } from '../ui/record-list.tsx';
import { type Meant, readingOf } from '../ui/saving.tsx';
import { VariableDialog } from '../variables/edit.tsx';
import { type Draft, draftOf, emptyVariable, type Variable } from '../variables/variables.ts';
import { changed, ofSet, setQuery } from './sets.ts';

const variablesOf = ofSet<Variable>('vars');

export function SetVariables({ id, mayChange }: { id: string; mayChange: boolean }) {
  const query = useQuery({ ...setQuery(id), select: variablesOf });
  const [open, setOpen] = useState<Variable | 'new' | null>(null);
  const at = { params: { path: { variable_set_id: id } } };
  const pathOf = (variable: Variable) => ({ params: { path: { variable_set_id: id, variable_id: variable.id } } });
  const create = (draft: Partial<Draft>) =>
    answer(
      api.POST('/varsets/{variable_set_id}/relationships/vars', {
        ...at,
        body: documentOf('vars', { ...emptyVariable, ...draft }),
      }),
    ).then(changed);
  const update = (variable: Variable, draft: Partial<Draft>, meant: Meant) =>
    answer(
      api.PATCH('/varsets/{variable_set_id}/relationships/vars/{variable_id}', {
        ...pathOf(variable),
        ...meant,
        body: documentOf('vars', draft),
      }),
    ).then(changed);
  const read = async (variable: Variable) =>
    readingOf(
      await answer(api.GET('/varsets/{variable_set_id}/relationships/vars/{variable_id}', pathOf(variable))),
      ({ data }) => draftOf(data.attributes),
    );
  return (
    <>
      <RecordList
        title={words.title}
        query={query}
        none={{ title: words.empty }}
        add={mayChange && { label: words.add, onClick: () => setOpen('new') }}
        columns={[
          {
            title: words.key,
            cell: variable => (
              <button type="button" className="link mono" disabled={!mayChange} onClick={() => setOpen(variable)}>
                {variable.attributes.key}
              </button>
            ),
          },
          {
            title: words.value,
            cell: ({ attributes }) => (
              <span className="mono">{attributes.sensitive ? words.hidden : attributes.value}</span>
            ),
          },
          {
            title: words.category,
            width: 'quarter',
            cell: ({ attributes }) => words.categories[attributes.category],
          },
        ]}
        removal={
          mayChange && {
            label: ({ attributes }) => words.delete(attributes.key),
            title: ({ attributes }) => words.deleteQuestion(attributes.key),
            ends: <p>{words.deleteDetail}</p>,
            submit: words.deleteSubmit,
            remove: variable =>
              answer(api.DELETE('/varsets/{variable_set_id}/relationships/vars/{variable_id}', pathOf(variable))).then(
                changed,
              ),
          }
        }
      />
      {open === 'new' && (
        <VariableDialog title={words.addSubmit} draft={emptyVariable} onClose={() => setOpen(null)} onSave={create} />
      )}
      {open && open !== 'new' && (
        <VariableDialog
          title={words.editTitle(open.attributes.key)}
          draft={open.attributes}
          read={() => read(open)}
          onClose={() => setOpen(null)}
          onSave={(changes, meant) => update(open, changes, meant)}
        />
      )}
    </>
  );
}
