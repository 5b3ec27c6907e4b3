/** The commit that a run plans: where it is from, who brought it, and what it answers to. */
import type { Resource } from '../api/client.ts';
import { included } from '../api/documents.ts';
import { commit as text } from '../texts/runs.ts';
import { Outside } from '../ui/outside.tsx';
import { Card, Facts } from '../ui/parts.tsx';
import type { RunDocument } from './runs.ts';

type Ingress = Resource<'ingress-attributes'>['attributes'];

/** Undefined of what was uploaded. */
export function commitOf(document: RunDocument): Ingress | undefined {
  const version = included(document, document.data.relationships['configuration-version'], 'configuration-versions');
  return version && included(document, version.relationships['ingress-attributes'], 'ingress-attributes')?.attributes;
}

export const shortOf = (sha: string | null | undefined) => sha?.slice(0, 8) ?? '';

export function Commit({ commit }: { commit: Ingress }) {
  const number = commit['pull-request-number'];
  const isRequest = commit['is-pull-request'] === true && number !== null;
  return (
    <Card title={text.title}>
      <Facts
        facts={[
          fact(text.commit, shortOf(commit['commit-sha']), commit['commit-url'], 'mono'),
          fact(text.message, commit['commit-message']?.split('\n')[0]),
          fact(text.repository, commit.identifier),
          fact(text.tag, commit.tag, null, 'mono'),
          fact(text.branch, commit.branch, null, 'mono'),
          isRequest
            ? fact(
                text.pullRequest,
                text.request(number, commit['pull-request-title'] ?? ''),
                commit['pull-request-url'],
              )
            : null,
          fact(text.sender, commit['sender-username'], commit['sender-html-url']),
          fact(text.changes, commit['compare-url'] && text.compare, commit['compare-url']),
        ]}
      />
    </Card>
  );
}

function fact(term: string, shown: string | null | undefined, to?: string | null, look = '') {
  if (!shown) return null;
  return [
    term,
    <Outside key={term} to={to}>
      <span className={`anywhere ${look}`}>{shown}</span>
    </Outside>,
  ] as const;
}
