/** Every column that holds sealed values, with the context under which each of its values opens. */

import { secretContext } from '../../connections/oauth-clients/settings.ts';
import { tokenContext } from '../../connections/oauth-tokens/oauth-token.ts';
import { sealContext as sshKeyContext } from '../../connections/ssh-keys/ssh-key.ts';
import { placeOf } from '../../core/blobs/blob-store.ts';
import { keyIdColumn } from '../../core/store/secrets.ts';
import type { Fragment, Sql } from '../../core/store/store.ts';
import { sealContext as secondFactorContext } from '../../people/second-factor/codes.ts';
import { secretContext as providerContext } from '../../people/sign-in-providers/provider.ts';
import { sealContext as notificationContext } from '../../runs/notification-configurations/notification-configuration.ts';
import { ownSealContext as ownContext } from '../../runs/queue/own-variables.ts';
import { sealContext as runContext } from '../../runs/queue/variables.ts';
import { sealContext as runTaskContext } from '../../runs/run-tasks/run-task.ts';
import { sealContext as outputContext } from '../../workspaces/state-versions/outputs.ts';
import { sealContext as variableContext } from '../../workspaces/variables/values.ts';

export interface SealedValue {
  id: string;
  /** Of a piece of content: a record may have many. */
  position?: number;
  sealed: Buffer;
}

export interface Place {
  table: string;
  column: string;
  /** The column by which its rows are told apart. */
  key: string;
  /** The sealed value, or null, on a row of the table as `records`. */
  sealedIn: (sql: Sql) => Fragment;
  contextOf: (value: SealedValue) => string;
  /** The next values behind `after` that another key sealed, held for this transaction, in the order of their ids. */
  next: (sql: Sql, keyId: string, after: SealedValue | null) => Promise<SealedValue[]>;
  replace: (sql: Sql, value: SealedValue, sealed: Buffer) => Promise<unknown>;
}

/** A batch is a transaction: large enough for few commits, small enough not to keep a server waiting. */
const recordsAtOnce = 50;
const chunksAtOnce = 8;

export const places: readonly Place[] = [
  inRecords('ssh_keys', 'sealed_value', sshKeyContext),
  inRecords('variables', 'sealed_value', variableContext),
  inRecords('oauth_clients', 'sealed_secret', id => secretContext(id, 'secret')),
  inRecords('oauth_clients', 'sealed_private_key', id => secretContext(id, 'private-key')),
  inRecords('oauth_clients', 'sealed_webhook_secret', id => secretContext(id, 'webhook-secret')),
  inRecords('oauth_tokens', 'sealed_token', id => tokenContext(id, 'token')),
  inRecords('oauth_tokens', 'sealed_ssh_key', id => tokenContext(id, 'ssh-key')),
  inRecords('state_version_outputs', 'sealed_value', outputContext),
  inRecords('runs', 'sealed_variables', runContext),
  inRunsOwn(),
  inRecords('notification_configurations', 'sealed_url', id => notificationContext(id, 'url')),
  inRecords('notification_configurations', 'sealed_token', id => notificationContext(id, 'token')),
  inRecords('notification_configurations', 'sealed_responses', id => notificationContext(id, 'responses')),
  inRecords('sign_in_providers', 'sealed_client_secret', providerContext),
  inRecords('run_tasks', 'sealed_hmac_key', runTaskContext),
  inRecords('second_factors', 'sealed_secret', secondFactorContext, 'user_id'),
  inChunks(),
];

/** `key` is the column by which its rows are told apart. */
function inRecords(table: string, column: string, contextOf: (id: string) => string, key = 'id'): Place {
  const name = `records.${column}`;
  const id = `records.${key}`;
  return {
    table,
    column,
    key,
    sealedIn: sql => sql`${sql(name)}`,
    contextOf: ({ id }) => contextOf(id),
    next: (sql, keyId, after) => sql<SealedValue[]>`
      select ${sql(id)} as id, ${sql(name)} as sealed from ${sql(table)} as records
      where ${sql(id)} > ${after?.id ?? ''} and ${keyIdColumn(sql, sql`${sql(name)}`)} <> ${keyId}
      order by ${sql(id)} limit ${recordsAtOnce}
      for no key update`,
    replace: (sql, value, sealed) => sql`
      update ${sql(table)} as records set ${sql(column)} = ${sealed}
      where ${sql(id)} = ${value.id}`,
  };
}

/** What runs were given themselves, as text within JSON. */
function inRunsOwn(): Place {
  const sealedIn = (sql: Sql) => sql`decode(records.variables ->> 'sealed', 'base64')`;
  return {
    table: 'runs',
    column: 'variables',
    key: 'id',
    sealedIn,
    contextOf: ({ id }) => ownContext(id),
    next: (sql, keyId, after) => sql<SealedValue[]>`
      select records.id, ${sealedIn(sql)} as sealed from runs as records
      where records.id > ${after?.id ?? ''} and ${keyIdColumn(sql, sealedIn(sql))} <> ${keyId}
      order by records.id limit ${recordsAtOnce}
      for no key update`,
    replace: (sql, { id }, sealed) => sql`
      update runs as records set variables = jsonb_build_object('sealed', ${sealed.toString('base64')}::text)
      where records.id = ${id}`,
  };
}

function inChunks(): Place {
  return {
    table: 'blob_chunks',
    column: 'sealed',
    key: 'blob_id',
    sealedIn: sql => sql`records.sealed`,
    contextOf: ({ id, position }) => placeOf(id, position!),
    next: (sql, keyId, after) => sql<SealedValue[]>`
      select blob_chunks.blob_id as id, blob_chunks.position, blob_chunks.sealed from blob_chunks
      where (blob_chunks.blob_id, blob_chunks.position) > (${after?.id ?? ''}, ${after?.position ?? 0}::integer)
        and ${keyIdColumn(sql, sql`blob_chunks.sealed`)} <> ${keyId}
      order by blob_chunks.blob_id, blob_chunks.position limit ${chunksAtOnce}
      for no key update`,
    replace: (sql, { id, position }, sealed) => sql`
      update blob_chunks set sealed = ${sealed}
      where blob_chunks.blob_id = ${id} and blob_chunks.position = ${position!}`,
  };
}
