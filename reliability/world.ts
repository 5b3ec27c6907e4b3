/** A small organization to ask about. */
import { type Client, type Document, openClient } from './client.ts';
import { adminToken, type Server } from './server.ts';

export interface World {
  organization: string;
  workspaces: { id: string; name: string }[];
}

export async function furnish({ port }: Server, organization: string, workspaces: number): Promise<World> {
  const client = openClient({ port, token: adminToken });
  try {
    await client.make('organizations', 'organizations', { name: organization, email: 'admin@example.com' });
    const made: World['workspaces'] = [];
    for (let number = 0; number < workspaces; number += 1) {
      const name = `workspace-${number}`;
      const { id } = await client.make(`organizations/${organization}/workspaces`, 'workspaces', { name });
      made.push({ id, name });
    }
    return { organization, workspaces: made };
  } finally {
    client.close();
  }
}

/** Reads mostly, as clients do: every fifth request is a change. */
export function mixedRequests({ organization, workspaces }: World): () => [string, string, unknown?] {
  let turn = 0;
  return () => {
    turn += 1;
    const { id } = workspaces[(turn * 37) % workspaces.length]!;
    if (turn % 5 === 0) return ['PATCH', `workspaces/${id}`, described(`change ${turn}`)];
    if (turn % 5 === 1) return ['GET', `organizations/${organization}/workspaces?page[size]=20`];
    return ['GET', `workspaces/${id}`];
  };
}

export const described = (description: string) => ({ data: { type: 'workspaces', attributes: { description } } });

/** A token of a new account that owns nothing, and the account's id. */
export async function account(client: Client, username: string): Promise<{ id: string; token: string }> {
  const { id } = await client.make('admin/users', 'users', { username, email: `${username}@example.com` });
  const made: Document = await client.make(`users/${id}/authentication-tokens`, 'authentication-tokens', {
    description: 'one',
  });
  return { id, token: made.attributes.token };
}
