/** What happened to a run, in order; comments stand where they were made. */
import { Button, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Resource } from '../api/client.ts';
import { included } from '../api/documents.ts';
import { runs as text } from '../texts/runs.ts';
import { useFault } from '../ui/fault.tsx';
import { Card } from '../ui/parts.tsx';
import { commentOn, type RunDocument } from './runs.ts';

export function Timeline({ document }: { document: RunDocument }) {
  const records = document.included ?? [];
  // What was commented stands there itself.
  const events = (records.filter(record => record.type === 'run-events') as Resource<'run-events'>[]).filter(
    ({ attributes }) => attributes.action !== 'commented',
  );
  const comments = records.filter(record => record.type === 'comments') as Resource<'comments'>[];
  const rows = [
    ...events.map(({ id, attributes }) => ({
      id,
      at: attributes['created-at'],
      words: attributes.description ?? attributes.action.replaceAll('_', ' '),
    })),
    ...comments.map(comment => {
      const who = included(document, comment.relationships['created-by'], 'users');
      return {
        id: comment.id,
        at: comment.attributes['created-at'],
        words: `${who?.attributes.username ?? ''}: “${comment.attributes.body}”`,
      };
    }),
  ].sort((one, other) => one.at.localeCompare(other.at));
  return (
    <Card title={text.timeline}>
      <div className="stack">
        <ol className="timeline">
          {rows.map(({ id, at, words }) => (
            <li key={id}>
              <span className="anywhere grow">{words}</span>
              <span className="muted small nowrap" title={at}>
                <time dateTime={at}>{at.slice(11, 19)}</time>
              </span>
            </li>
          ))}
        </ol>
        <p className="faint small">{text.utc((rows[0]?.at ?? document.data.attributes['created-at']).slice(0, 10))}</p>
        {document.data.attributes.permissions['can-comment'] && <CommentForm run={document.data.id} />}
      </div>
    </Card>
  );
}

function CommentForm({ run }: { run: string }) {
  const [body, setBody] = useState('');
  const [fault, attempt, isBusy] = useFault();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (await attempt(() => commentOn(run, body))) setBody('');
  };
  return (
    <form className="stack tight" onSubmit={event => void submit(event)}>
      <Textarea
        aria-label={text.commentNew}
        placeholder={text.commentNew}
        autosize
        minRows={1}
        maxLength={10_000}
        value={body}
        onChange={event => setBody(event.currentTarget.value)}
      />
      {fault}
      <div>
        <Button type="submit" size="xs" variant="default" loading={isBusy} disabled={body.trim() === ''}>
          {text.commentSubmit}
        </Button>
      </div>
    </form>
  );
}
