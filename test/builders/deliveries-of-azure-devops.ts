/** The story of `deliveries.ts` as Azure DevOps tells it: its repository is `acme/Shop/_git/net`. */
import type { Samples } from './deliveries.ts';

const [before, after, nothing] = ['a'.repeat(40), 'b'.repeat(40), '0'.repeat(40)];

/** @param collection the address of the organization, or of the collection of a server */
export function azureDevops(collection: string): Samples {
  const repository = {
    id: '00000000-0000-0000-0000-000000000001',
    name: 'net',
    defaultBranch: 'refs/heads/main',
    remoteUrl: `${collection}/Shop/_git/net`,
    project: { id: '00000000-0000-0000-0000-000000000002', name: 'Shop' },
  };
  const ann = { displayName: 'Ann', uniqueName: 'ann', imageUrl: 'https://forge.example/ann.png' };
  const delivery = (eventType: string, resource: object) => ({
    headers: {},
    body: { id: `ado-${eventType}`, notificationId: 1, eventType, publisherId: 'tfs', resource },
  });
  const push = (name: string, oldObjectId: string, newObjectId: string) =>
    delivery('git.push', {
      refUpdates: [{ name, oldObjectId, newObjectId }],
      commits: [{ commitId: after, comment: 'Open the gate' }],
      repository,
      pushedBy: ann,
    });
  const request = (event: string, changed: object = {}) =>
    delivery(`git.pullrequest.${event}`, {
      ...{ repository, pullRequestId: 7, status: 'active', createdBy: ann },
      ...{ title: 'A gate', description: 'So that one can enter.' },
      ...{ sourceRefName: 'refs/heads/gate', targetRefName: 'refs/heads/main' },
      lastMergeSourceCommit: { commitId: after },
      lastMergeTargetCommit: { commitId: before },
      ...changed,
    });
  return {
    push: push('refs/heads/main', before, after),
    tag: push('refs/tags/v1.0', nothing, after),
    deleted: push('refs/heads/old', before, nothing),
    pullRequest: request('created'),
    fork: request('created', { forkSource: { name: 'refs/heads/gate', repository: { name: 'eve' } } }),
    closed: request('updated', { status: 'completed' }),
    other: delivery('workitem.created', {}),
  };
}
