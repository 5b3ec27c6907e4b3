/** The story of `deliveries.ts` as Bitbucket tells it, in the cloud and on one's own server. */
import type { Samples } from './deliveries.ts';

const [before, after, nothing] = ['a'.repeat(40), 'b'.repeat(40), '0'.repeat(40)];

export function bitbucketCloud(): Samples {
  const headers = (event: string) => ({ 'x-event-key': event, 'x-request-uuid': `bitbucket-${event}` });
  const home = 'https://forge.example/acme/net';
  const links = { html: { href: 'https://forge.example/ann' }, avatar: { href: 'https://forge.example/ann.png' } };
  const actor = { type: 'user', nickname: 'ann', display_name: 'Ann', links };
  const repository = { type: 'repository', full_name: 'acme/net', mainbranch: { type: 'branch', name: 'main' } };
  const target = {
    type: 'commit',
    hash: after,
    message: 'Open the gate',
    links: { html: { href: `${home}/commits/b` } },
  };
  const old = { type: 'branch', name: 'main', target: { type: 'commit', hash: before } };
  const links_of = { html: { href: `${home}/branches/compare/b..a` } };
  const push = (now: object | null, from: object | null) => ({
    headers: headers('repo:push'),
    body: { actor, repository, push: { changes: [{ new: now, old: from, links: links_of, closed: now === null }] } },
  });
  const source = { branch: { name: 'gate' }, commit: { hash: 'b'.repeat(12) }, repository: { full_name: 'acme/net' } };
  const pull = {
    ...{ id: 7, title: 'A gate', description: 'So that one can enter.', state: 'OPEN', source },
    destination: { branch: { name: 'main' }, commit: { hash: 'a'.repeat(12) }, repository: { full_name: 'acme/net' } },
    links: { html: { href: `${home}/pull-requests/7` } },
  };
  const request = (event: string, pullrequest: object) => ({
    headers: headers(event),
    body: { actor, repository, pullrequest },
  });
  return {
    push: push({ type: 'branch', name: 'main', target }, old),
    tag: push({ type: 'tag', name: 'v1.0', target }, null),
    deleted: push(null, { ...old, name: 'old' }),
    pullRequest: request('pullrequest:created', pull),
    fork: request('pullrequest:created', { ...pull, source: { ...source, repository: { full_name: 'eve/net' } } }),
    closed: request('pullrequest:updated', { ...pull, state: 'MERGED' }),
    other: { headers: headers('repo:fork'), body: { actor, repository } },
  };
}

export function bitbucketServer(): Samples {
  const headers = (event: string) => ({ 'x-event-key': event, 'x-request-id': `bitbucket-${event}` });
  const home = 'https://forge.example/projects/acme/repos/net';
  const project = { key: 'acme', name: 'Acme' };
  const repository = { slug: 'net', id: 1, project, links: { self: [{ href: `${home}/browse` }] } };
  const actor = { name: 'ann', displayName: 'Ann', links: { self: [{ href: 'https://forge.example/users/ann' }] } };
  const change = (id: string, type: string, fromHash: string, toHash: string) => ({
    headers: headers('repo:refs_changed'),
    body: {
      eventKey: 'repo:refs_changed',
      ...{ actor, repository, toCommit: { id: after, message: 'Open the gate' } },
      changes: [{ ref: { id, displayId: id.split('/').at(-1), type: 'BRANCH' }, refId: id, fromHash, toHash, type }],
    },
  });
  const side = (branch: string, latestCommit: string, of: object = repository) => ({
    id: `refs/heads/${branch}`,
    displayId: branch,
    latestCommit,
    repository: of,
  });
  const request = (event: string, fork?: object) => ({
    headers: headers(event),
    body: {
      actor,
      pullRequest: {
        ...{ id: 7, title: 'A gate', description: 'So that one can enter.', state: 'OPEN' },
        fromRef: side('gate', after, fork),
        toRef: side('main', before),
        links: { self: [{ href: `${home}/pull-requests/7` }] },
      },
    },
  });
  return {
    push: change('refs/heads/main', 'UPDATE', before, after),
    tag: change('refs/tags/v1.0', 'ADD', nothing, after),
    deleted: change('refs/heads/old', 'DELETE', before, nothing),
    pullRequest: request('pr:opened'),
    fork: request('pr:opened', { ...repository, project: { key: '~eve' } }),
    closed: request('pr:declined'),
    other: { headers: headers('diagnostics:ping'), body: { test: true } },
  };
}
