/** The README of the repository that a workspace is linked to. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { answer, api } from '../api/client.ts';
import { workspace as text } from '../texts/workspace.ts';
import { Outside } from '../ui/outside.tsx';
import { Card } from '../ui/parts.tsx';
import type { Mark } from './tree.ts';

/** One that takes longer to read is shown as it is written. */
const patience_ms = 2000;

interface Tree {
  marks: Mark[];
  isCut: boolean;
}

interface Found {
  markdown: string;
  /** Null where it could not be read in time. */
  tree: Tree | null;
}

const readmeQuery = (workspaceId: string, readmeId: string) => ({
  queryKey: ['readmes', workspaceId, readmeId],
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Found> => {
    const { included } = (await answer(
      api.GET('/workspaces/{workspace_id}', {
        params: { path: { workspace_id: workspaceId }, query: { include: ['readme'] } },
        signal,
      }),
    )) as { included?: { attributes: Record<string, string> }[] };
    const markdown = included?.[0]?.attributes['raw-markdown'] ?? '';
    return { markdown, tree: await treeOf(markdown, signal) };
  },
});

async function treeOf(markdown: string, signal: AbortSignal): Promise<Tree | null> {
  const worker = new Worker(new URL('./tree.worker.ts', import.meta.url), { type: 'module' });
  signal.addEventListener('abort', () => worker.terminate());
  try {
    return await new Promise<Tree | null>(resolve => {
      worker.onmessage = ({ data }: MessageEvent<Partial<Tree>>) => resolve(data.marks ? (data as Tree) : null);
      worker.onerror = () => resolve(null);
      setTimeout(() => resolve(null), patience_ms);
      worker.postMessage(markdown);
    });
  } finally {
    worker.terminate();
  }
}

export function Readme({ workspaceId, readmeId }: { workspaceId: string; readmeId: string }) {
  const { data } = useQuery(readmeQuery(workspaceId, readmeId));
  if (!data?.markdown) return null;
  return (
    <Card title={text.readme}>
      <div className="readme anywhere">
        {data.tree ? <Marks marks={data.tree.marks} /> : <pre className="code">{data.markdown}</pre>}
        {data.tree?.isCut && <p className="muted">{text.readmeCut}</p>}
      </div>
    </Card>
  );
}

function Marks({ marks = [] }: { marks: readonly Mark[] | undefined }) {
  // Nothing is ever moved in it: a place is as good as a name.
  return marks.map((mark, place) => <OneMark key={String(place)} mark={mark} />);
}

/** Headings stand below that of the card. */
const headings = ['h3', 'h4', 'h5', 'h6', 'h6', 'h6'] as const;

function OneMark({ mark }: { mark: Mark }): ReactNode {
  const inside = <Marks marks={mark.of} />;
  const Heading = headings[(mark.number ?? 1) - 1] ?? 'h6';
  switch (mark.kind) {
    case 'text':
      return mark.text;
    case 'paragraph':
      return <p>{inside}</p>;
    case 'heading':
      return <Heading>{inside}</Heading>;
    case 'list':
      return <ul>{inside}</ul>;
    case 'steps':
      return <ol start={mark.number}>{inside}</ol>;
    case 'item':
      return <li>{inside}</li>;
    case 'quote':
      return <blockquote>{inside}</blockquote>;
    case 'code':
      return <pre className="code">{mark.text}</pre>;
    case 'rule':
      return <hr />;
    case 'strong':
      return <strong>{inside}</strong>;
    case 'emphasis':
      return <em>{inside}</em>;
    case 'deleted':
      return <del>{inside}</del>;
    case 'snippet':
      return <code>{mark.text}</code>;
    case 'break':
      return <br />;
    case 'link':
      return <Outside to={mark.to}>{inside}</Outside>;
    case 'table':
      return <Table rows={mark.of ?? []} />;
    case 'row':
      return <tr>{inside}</tr>;
    case 'head':
      return <th>{inside}</th>;
    case 'cell':
      return <td>{inside}</td>;
  }
}

function Table({ rows: [head, ...rows] }: { rows: readonly Mark[] }) {
  return (
    <table>
      <thead>{head && <OneMark mark={head} />}</thead>
      <tbody>
        <Marks marks={rows} />
      </tbody>
    </table>
  );
}
