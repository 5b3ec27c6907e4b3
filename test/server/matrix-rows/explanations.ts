/** Rows of the access matrix for explanations, of oneself and of others, and for the feed of changes. */
import type { Asked, Row, Rows } from './fresh.ts';

/** About the caller, about somebody else, and about one action alone. */
function explanations(target: Row): Record<string, Row> {
  const asking =
    (query: (ownerId: string) => string): Row =>
    async (fresh, caller): Promise<Asked> => {
      const { params } = await target(fresh, caller);
      return { params, query: query(fresh.world.acme.owner.id) };
    };
  return {
    'of the caller': asking(() => ''),
    'of another': asking(owner => `user=${owner}`),
    'of an unknown action': asking(() => 'action=nothing'),
  };
}

export const explanationRows: Rows = {
  'organizations.explain': explanations(({ organization }) => organization()),
  'projects.explain': explanations(({ world }) => ({ params: { project_id: world.projectId } })),
  'teams.explain': explanations(({ team }) => team({ visibility: 'organization' })),
  'workspaces.explain': explanations(({ workspace }) => workspace()),
  'workspaces.who': async ({ workspace }) => ({ ...(await workspace()), query: 'action=lock' }),
  'changes.list': ({ organization }) => organization(),
  'teams.reach': {
    'a visible team': ({ team }) => team({ visibility: 'organization' }),
    'a secret team of the caller': ({ teamOf }, caller) => teamOf(caller),
  },
};
