/** /<org>/settings/run-tasks: the services that runs of its workspaces can be shown to. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { organizationQuery } from '../organizations/organizations.ts';
import { runTasks as text, workspaceTasks as words } from '../texts/run-tasks.ts';
import { CreateDialog } from '../ui/create-dialog.tsx';
import { descriptionColumn } from '../ui/description-column.tsx';
import { EditDialog } from '../ui/edit-dialog.tsx';
import type { Field } from '../ui/field.tsx';
import { gathered, membersOf } from '../ui/members.ts';
import { RecordList } from '../ui/record-list.tsx';
import type { Column } from '../ui/rows.tsx';
import type { Values } from '../ui/saving.tsx';
import { tellFailure } from '../ui/tell.tsx';
import {
  createTask,
  deleteTask,
  readTask,
  type Task,
  type TaskAttributes,
  tasksQuery,
  taskValues,
  updateTask,
} from './tasks.ts';

const columns: Column<Task>[] = [
  {
    title: text.name,
    cell: ({ attributes }) => (
      <span className="line wrap">
        <span className="strong anywhere">{attributes.name}</span>
        {!attributes.enabled && <span className="badge">{text.off}</span>}
        {attributes['global-configuration']?.enabled && <span className="badge">{text.everywhereBadge}</span>}
      </span>
    ),
  },
  { title: text.url, cell: ({ attributes }) => <span className="mono muted">{attributes.url}</span> },
  descriptionColumn(text.description),
];

const choices = (of: Record<string, string>) => Object.entries(of).map(([value, label]) => ({ value, label }));

const everywhere: Field[] = [
  { key: 'global-configuration.enabled', label: text.everywhere, hint: text.everywhereHint, kind: 'switch' },
  { key: 'global-configuration.stages', label: words.when, kind: 'choices', options: choices(words.stages) },
  {
    key: 'global-configuration.enforcement-level',
    label: words.level,
    hint: level => words.levelHints[level as keyof typeof words.levelHints],
    kind: 'choice',
    options: choices(words.levels),
  },
];

/** Where the organization may not have its tasks asked everywhere, there is nothing to choose. */
const fieldsOf = (task: Task | null): Field[] => [
  { key: 'name', label: text.name, hint: text.nameHint, kind: 'text', isMono: true },
  { key: 'url', label: text.url, hint: text.urlHint, kind: 'text', isMono: true },
  { key: 'description', label: text.description, kind: 'lines', isNullable: true },
  { key: 'hmac-key', label: text.key, hint: task ? text.keyKeep : text.keyHint, kind: 'secret' },
  { key: 'enabled', label: text.enabled, kind: 'switch' },
  ...(task && !task.attributes['global-configuration'] ? [] : everywhere),
];

const initial = {
  ...{ category: 'task', enabled: true },
  ...membersOf('global-configuration', { enabled: false, stages: ['post_plan'], 'enforcement-level': 'advisory' }),
};

function given(values: Values): TaskAttributes {
  const { 'global-configuration': wanted, ...attributes } = gathered(values) as TaskAttributes;
  return wanted?.enabled ? { ...attributes, 'global-configuration': wanted } : attributes;
}

export function RunTaskSettings({ organization }: { organization: string }) {
  const [edited, setEdited] = useState<Task | 'new' | null>(null);
  const { data: found } = useQuery(organizationQuery(organization));
  const query = useQuery(tasksQuery(organization));
  const mayChange = found?.data.attributes.permissions['can-manage-run-tasks'] ?? false;
  const task = edited === 'new' ? null : edited;
  return (
    <>
      <RecordList
        title={text.title}
        lead={text.lead}
        query={query}
        none={{ title: text.none, detail: text.noneDetail }}
        add={mayChange && { label: text.add, onClick: () => setEdited('new') }}
        columns={columns}
        nameOf={({ attributes }) => attributes.name}
        acts={
          mayChange
            ? task => [
                { label: text.edit, icon: 'pencil', onClick: () => setEdited(task) },
                {
                  label: task.attributes.enabled ? text.turnOff : text.turnOn,
                  icon: task.attributes.enabled ? 'x' : 'check',
                  onClick: () => void updateTask(task.id, { enabled: !task.attributes.enabled }).catch(tellFailure),
                },
              ]
            : undefined
        }
        removal={
          mayChange && {
            label: () => text.remove,
            title: ({ attributes }) => text.removeTitle(attributes.name),
            ends: ({ relationships }) => <p>{text.removeEnds(relationships['workspace-tasks'].data.length)}</p>,
            submit: text.removeSubmit,
            remove: deleteTask,
          }
        }
      />
      {edited === 'new' && (
        <CreateDialog<Values>
          title={text.addSubmit}
          submit={text.addSubmit}
          initial={initial}
          fields={fieldsOf(null)}
          onClose={() => setEdited(null)}
          create={values => createTask(organization, given(values))}
        />
      )}
      {task && (
        <EditDialog<Values>
          title={text.editTitle(task.attributes.name)}
          submit={text.saveSubmit}
          fields={fieldsOf(task)}
          values={taskValues(task)}
          read={() => readTask(task.id)}
          save={(changes, meant) => updateTask(task.id, gathered(changes), meant)}
          onClose={() => setEdited(null)}
        />
      )}
    </>
  );
}
