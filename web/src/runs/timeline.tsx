/** What happened to a run, in order; comments stand where they were made. */

import type { Resource } from '../api/client.ts';
import { included } from '../api/documents.ts';
import { runs as text } from '../texts/runs.ts';
import { Card } from '../ui/parts.tsx';
import { Time } from '../ui/time.tsx';
import type { RunDocument } from './runs.ts';

export function Timeline({ document }: { document: RunDocument }) {
  const records = document.included ?? [];
  const events = records.filter(record => record.type === 'run-events') as Resource<'run-events'>[];
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
  if (rows.length === 0) return null;
  return (
    <Card title={text.timeline}>
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
      <p className="faint small">
        {text.utc} <Time at={rows[0]?.at} />
      </p>
    </Card>
  );
}
