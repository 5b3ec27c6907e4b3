/** …/settings/run-tasks: which services see the runs of this workspace, when, and whether they can stop them. */
import { Checkbox, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Changed } from '../api/client.ts';
import { included } from '../api/documents.ts';
import { faultsByField } from '../api/failure.ts';
import { paths } from '../paths.ts';
import { runTasks, workspaceTasks as text } from '../texts/run-tasks.ts';
import { Dialog } from '../ui/dialog.tsx';
import { FieldInput } from '../ui/field.tsx';
import { RecordList } from '../ui/record-list.tsx';
import type { Column } from '../ui/rows.tsx';
import { changesOf, useSaving } from '../ui/saving.tsx';
import { useWorkspace } from '../workspaces/workspace.ts';
import {
  askTask,
  readWorkspaceTask,
  removeWorkspaceTask,
  type Stage,
  tasksQuery,
  updateWorkspaceTask,
  type WorkspaceTask,
  type WorkspaceTaskList,
  workspaceTasksQuery,
} from './tasks.ts';

type Level = WorkspaceTask['attributes']['enforcement-level'];
const stages = Object.keys(text.stages) as Stage[];

const nameIn = (list: WorkspaceTaskList | undefined, { relationships }: WorkspaceTask) =>
  (list && included(list, relationships.task, 'tasks')?.attributes.name) ?? relationships.task.data?.id ?? '';

export function WorkspaceRunTasks() {
  const { organization, query: workspace } = useWorkspace();
  const [edited, setEdited] = useState<WorkspaceTask | 'new' | null>(null);
  const id = workspace.data?.data.id ?? '';
  const query = useQuery(workspaceTasksQuery(id));
  const mayChange = workspace.data?.data.attributes.permissions['can-manage-run-tasks'] ?? false;
  const nameOf = (task: WorkspaceTask) => nameIn(query.data, task);
  const { data: all = [] } = useQuery(tasksQuery(organization));
  const everywhere = all.filter(({ attributes }) => attributes.enabled && attributes['global-configuration']?.enabled);
  return (
    <>
      <RecordList<WorkspaceTask>
        title={runTasks.title}
        lead={
          <>
            {text.lead}
            {everywhere.length > 0 && (
              <> {text.everywhere(everywhere.map(({ attributes }) => attributes.name).join(', '))}</>
            )}
          </>
        }
        query={query}
        none={{
          title: text.none,
          detail: (
            <>
              {text.noneDetail}{' '}
              <Link className="link" to={paths.settings(organization, 'run-tasks')}>
                {text.ofOrganization}
              </Link>
            </>
          ),
        }}
        add={mayChange && { label: text.add, onClick: () => setEdited('new') }}
        columns={columnsOf(nameOf)}
        nameOf={nameOf}
        acts={
          mayChange ? task => [{ label: runTasks.edit, icon: 'pencil', onClick: () => setEdited(task) }] : undefined
        }
        removal={
          mayChange && {
            label: () => text.remove,
            title: task => text.removeTitle(nameOf(task)),
            ends: <p>{text.removeEnds}</p>,
            submit: text.removeSubmit,
            remove: task => removeWorkspaceTask(id, task.id),
          }
        }
      />
      {edited && (
        <AskDialog
          organization={organization}
          workspaceId={id}
          asked={query.data?.data.map(({ relationships }) => relationships.task.data?.id) ?? []}
          task={edited === 'new' ? null : edited}
          name={edited === 'new' ? '' : nameOf(edited)}
          onClose={() => setEdited(null)}
        />
      )}
    </>
  );
}

const columnsOf = (nameOf: (task: WorkspaceTask) => string): Column<WorkspaceTask>[] => [
  { title: text.task, cell: task => <span className="strong">{nameOf(task)}</span> },
  {
    title: text.when,
    cell: ({ attributes }) => attributes.stages.map(stage => text.stages[stage]).join(', '),
  },
  {
    title: text.level,
    width: 'quarter',
    cell: ({ attributes }) => <span className="muted">{text.levels[attributes['enforcement-level']]}</span>,
  },
];

interface AskProps {
  organization: string;
  workspaceId: string;
  /** Tasks that the workspace has already. */
  asked: (string | undefined)[];
  /** Null: another one. */
  task: WorkspaceTask | null;
  name: string;
  onClose: () => void;
}

function AskDialog({ organization, workspaceId, asked, task, name, onClose }: AskProps) {
  const tasks = useQuery({ ...tasksQuery(organization), enabled: task === null });
  const [chosen, setChosen] = useState<string | null>(null);
  const [when, setWhen] = useState<string[]>(task?.attributes.stages ?? ['post_plan']);
  const [level, setLevel] = useState<Level>(task?.attributes['enforcement-level'] ?? 'advisory');
  const [faults, setFaults] = useState<Record<string, string>>({});
  const [send, conflict] = useSaving<Changed<'workspace-tasks'>>({
    labelOf: key => (key === 'stages' ? text.when : text.level),
    wordOf: (_key, value) =>
      Array.isArray(value) ? value.map(stage => text.stages[stage as Stage]).join(', ') : text.levels[value as Level],
    read: () => readWorkspaceTask(workspaceId, task!.id),
    save: (changes, meant) => updateWorkspaceTask(workspaceId, task!.id, changes, meant),
  });
  const isSaved = async ({ attributes: before }: WorkspaceTask, after: Changed<'workspace-tasks'>) => {
    const changes = changesOf<Changed<'workspace-tasks'>>(before, after);
    return Object.keys(changes).length === 0 || (await send(before, changes)) !== null;
  };
  const submit = async () => {
    const attributes = { 'enforcement-level': level, stages: stages.filter(stage => when.includes(stage)) };
    try {
      if (!task) await askTask(workspaceId, chosen!, attributes);
      else if (!(await isSaved(task, attributes))) return;
      onClose();
    } catch (caught) {
      setFaults(faultsByField(caught));
      throw caught;
    }
  };
  const words = task
    ? { title: text.editTitle(name), submit: runTasks.saveSubmit }
    : { title: text.addSubmit, submit: text.addSubmit };
  return (
    <Dialog
      {...words}
      opened
      onClose={conflict ? () => {} : onClose}
      submitDisabled={!task && !chosen}
      onSubmit={submit}
    >
      {!task && (
        <Select
          label={text.task}
          data-autofocus
          searchable
          data={(tasks.data ?? [])
            .filter(({ id }) => !asked.includes(id))
            .map(({ id, attributes }) => ({ value: id, label: attributes.name }))}
          nothingFoundMessage={text.noMore}
          value={chosen}
          error={faults['task']}
          onChange={setChosen}
        />
      )}
      <Checkbox.Group label={text.when} value={when} error={faults['stages']} onChange={setWhen}>
        <div className="stack tight choices">
          {stages.map(stage => (
            <Checkbox key={stage} value={stage} label={text.stages[stage]} />
          ))}
        </div>
      </Checkbox.Group>
      <FieldInput
        field={{
          key: 'enforcement-level',
          label: text.level,
          hint: text.levelHints[level],
          kind: 'choice',
          options: Object.entries(text.levels).map(([value, label]) => ({ value, label })),
        }}
        value={level}
        error={faults['enforcement-level']}
        onChange={value => value && setLevel(value as Level)}
      />
      {conflict}
    </Dialog>
  );
}
