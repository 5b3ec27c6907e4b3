/** OAuth token: what a connection signs in with (§2.2 `vcs-repo.oauth-token-id`): the document, the SELECT and the finder. */

import { Type } from 'typebox';
import { oauthAccess } from '../../access/owned.ts';
import type { Actor } from '../../core/access/actor.ts';
import type { Config } from '../../core/config.ts';
import { addressed, boolean, column, computed, nullable, text, timestamp } from '../../core/jsonapi/fields.ts';
import type { Page } from '../../core/jsonapi/page.ts';
import { records, type Subject } from '../../core/jsonapi/records.ts';
import { type RowOf, resource } from '../../core/jsonapi/resource.ts';
import { newId } from '../../core/store/ids.ts';
import { seal } from '../../core/store/secrets.ts';
import { type Fragment, row, type Sql } from '../../core/store/store.ts';

interface OauthTokenRow extends Subject<'oauth'> {
  organization_id: string;
  oauth_client_id: string;
}

const attributes = {
  'created-at': column(timestamp),
  'has-ssh-key': column(boolean),
  'service-provider-user': computed(text, () => ''),
};

export const oauthTokens = resource({
  type: 'oauth-tokens',
  attributes,
  relationships: {
    'oauth-client': addressed('oauth-clients', 'oauth_client_id'),
  },
  links: row => ({ self: `/api/v2/oauth-tokens/${row.id}` }),
  load: (sql, actor, ids) => oauthTokenRecords.load(sql, actor, ids),
});

/** The document with the private key that bodies carry and answers do not. */
export const given = resource({
  type: oauthTokens.type,
  attributes: {
    ...oauthTokens.attributes,
    'ssh-key': column(nullable(text), { write: nullable(Type.String({ maxLength: 32_768 })) }),
  },
  relationships: {},
});

export interface OauthToken extends RowOf<typeof attributes>, OauthTokenRow {}

const oauthTokenRecords = records<OauthToken>({
  table: 'oauth_tokens',
  columns: sql => sql`
    oauth_tokens.id, oauth_tokens.oauth_client_id, oauth_clients.organization_id, oauth_tokens.created_at,
    oauth_tokens.sealed_ssh_key is not null as has_ssh_key`,
  from: sql => sql`
    oauth_tokens
    join oauth_clients on oauth_clients.id = oauth_tokens.oauth_client_id`,
  isVisible: (sql, actor) => sql`oauth_clients.organization_id = any(${oauthAccess.organizationsOf(actor)})`,
  powers: (row, actor) => oauthAccess.powersIn(actor, row.organization_id),
});

/** The oldest first; the condition is on `oauth_tokens` and their `oauth_clients`. */
export const oauthTokenPage = (door: { sql: Sql; actor: Actor; page: Page }, condition: Fragment) =>
  oauthTokenRecords.page(door, condition, door.sql`oauth_tokens.created_at, oauth_tokens.id`);

export const oauthTokenById = oauthTokenRecords.byId('oauth_token_id');

/** A token's sealed values open under these contexts alone. */
export const tokenContext = (id: string, member: 'token' | 'ssh-key') => `oauth-tokens/${id}/${member}`;

export async function addToken(sql: Sql, config: Config, clientId: string, token: string): Promise<void> {
  const id = newId('ot');
  const sealed = seal(config, token, tokenContext(id, 'token'));
  await sql`insert into oauth_tokens ${row(sql, { id, oauth_client_id: clientId, sealed_token: sealed })}`;
}

/** The token's text changes, its id stays: workspaces that name it go on. */
export async function renewToken(sql: Sql, config: Config, clientId: string, token: string): Promise<void> {
  const [first] = await sql<{ id: string }[]>`
    select oauth_tokens.id from oauth_tokens where oauth_tokens.oauth_client_id = ${clientId}
    order by oauth_tokens.created_at, oauth_tokens.id limit 1 for update`;
  if (!first) return addToken(sql, config, clientId, token);
  const sealed = seal(config, token, tokenContext(first.id, 'token'));
  await sql`update oauth_tokens set sealed_token = ${sealed} where oauth_tokens.id = ${first.id}`;
}

/** Takes the repository from the workspaces that reach it by these tokens. Returns the workspaces' ids. */
export async function unlinkRepositories(sql: Sql, tokenIds: readonly string[]): Promise<string[]> {
  const unlinked = await sql<{ id: string }[]>`
    update workspaces set vcs_repo = null, updated_at = now(), revision = default
    where workspaces.vcs_repo ->> 'oauth-token-id' = any(${tokenIds as string[]})
    returning workspaces.id`;
  return unlinked.map(({ id }) => id);
}

/**
 * Whether a workspace of the project may use the token: its connection is open to the organization, or to the project.
 * The token is held until the transaction ends, so that nobody deletes it.
 */
export async function mayUseToken(
  sql: Sql,
  place: { organizationId: string; projectId: string },
  tokenId: string,
): Promise<boolean> {
  const found = await sql`
    select from oauth_tokens
    join oauth_clients on oauth_clients.id = oauth_tokens.oauth_client_id
    where oauth_tokens.id = ${tokenId} and oauth_clients.organization_id = ${place.organizationId}
      and (
        oauth_clients.organization_scoped
        or exists (
          select from oauth_client_projects
          where oauth_client_projects.oauth_client_id = oauth_clients.id
            and oauth_client_projects.project_id = ${place.projectId}
        )
      )
    for key share of oauth_tokens`;
  return found.length > 0;
}
