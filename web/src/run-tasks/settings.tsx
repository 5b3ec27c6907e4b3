/** /<org>/settings/run-tasks: the services that runs of its workspaces can be shown to. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { organizationQuery } from '../organizations/organizations.ts';
import { runTasks as text } from '../texts/run-tasks.ts';
import { CreateDialog } from '../ui/create-dialog.tsx';
import { descriptionColumn } from '../ui/description-column.tsx';
import { EditDialog } from '../ui/edit-dialog.tsx';
import type { Field } from '../ui/field.tsx';
import { RecordList } from '../ui/record-list.tsx';
import type { Column } from '../ui/rows.tsx';
import { tellFailure } from '../ui/tell.tsx';
import { createTask, deleteTask, readTask, type Task, type TaskAttributes, tasksQuery, updateTask } from './tasks.ts';

const columns: Column<Task>[] = [
  {
    title: text.name,
    cell: ({ attributes }) => (
      <span className="line wrap">
        <span className="strong anywhere">{attributes.name}</span>
        {!attributes.enabled && <span className="badge">{text.off}</span>}
      </span>
    ),
  },
  { title: text.url, cell: ({ attributes }) => <span className="mono muted">{attributes.url}</span> },
  descriptionColumn(text.description),
];

const fieldsOf = (task: Task | null): Field<keyof TaskAttributes>[] => [
  { key: 'name', label: text.name, hint: text.nameHint, kind: 'text', isMono: true },
  { key: 'url', label: text.url, hint: text.urlHint, kind: 'text', isMono: true },
  { key: 'description', label: text.description, kind: 'lines', isNullable: true },
  { key: 'hmac-key', label: text.key, hint: task ? text.keyKeep : text.keyHint, kind: 'secret' },
  { key: 'enabled', label: text.enabled, kind: 'switch' },
];

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
        <CreateDialog
          title={text.addSubmit}
          submit={text.addSubmit}
          initial={{ category: 'task', enabled: true }}
          fields={fieldsOf(null)}
          onClose={() => setEdited(null)}
          create={(attributes: TaskAttributes) => createTask(organization, attributes)}
        />
      )}
      {task && (
        <EditDialog<TaskAttributes>
          title={text.editTitle(task.attributes.name)}
          submit={text.saveSubmit}
          fields={fieldsOf(task)}
          values={task.attributes}
          read={() => readTask(task.id)}
          save={(attributes, meant) => updateTask(task.id, attributes, meant)}
          onClose={() => setEdited(null)}
        />
      )}
    </>
  );
}
