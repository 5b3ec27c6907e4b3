/** The hand-written server's two requests about teams: as in baseline.ts, a statement and a template each. */
import {
  accessKeys,
  listedAccessKeys,
  organizationAccessOf,
  organizationPowers,
} from '../src/access/organization-access.ts';
import type { Actor } from '../src/core/access/actor.ts';
import type { Sql } from '../src/core/store/store.ts';

// biome-ignore lint/suspicious/noExplicitAny: the row of the statements below.
type Row = any;

const columns = (sql: Sql) => sql`
  t.id, t.name, t.visibility, t.sso_team_id, t.allow_member_token_management, t.is_owners, t.organization_access,
  o.name as organization_name,
  array(
    select m.user_id from team_memberships tm join organization_memberships m on m.id = tm.organization_membership_id
    where tm.team_id = t.id and m.status = 'active' order by m.user_id
  ) as user_ids,
  array(
    select tm.organization_membership_id from team_memberships tm where tm.team_id = t.id
    order by tm.organization_membership_id
  ) as membership_ids,
  exists (select from tokens where tokens.team_id = t.id and tokens.kind = 'team' and tokens.description is null) as has_token`;

/** Only for owners, as the measured caller is one. */
const ownedBy = (actor: Actor) => [...actor.standings].filter(([, { isOwner }]) => isOwner).map(([id]) => id);

export async function showTeam(sql: Sql, actor: Actor, id: string): Promise<string | null> {
  const [row] = await sql`
    select ${columns(sql)} from teams t join organizations o on o.id = t.organization_id
    where t.id = ${id} and t.organization_id = any(${ownedBy(actor)})`;
  return row ? `{"data":${documentOf(row, allKeys)}}` : null;
}

/** In the order of the answers. */
const allKeys = [...new Set<string>([...listedAccessKeys, ...accessKeys])];

export interface Listed {
  documents: string[];
  total: number;
}

export async function listTeams(sql: Sql, actor: Actor, organization: string, size: number): Promise<Listed | null> {
  const rows = await sql`
    select ${columns(sql)}, count(*) over () as total from teams t join organizations o on o.id = t.organization_id
    where o.name = ${organization} and o.id = any(${ownedBy(actor)})
    order by t.name, t.id limit ${size}`;
  if (rows.length === 0) return null;
  return { documents: rows.map(row => documentOf(row, listedAccessKeys)), total: Number(rows[0]!['total']) };
}

const accessTexts = new Map<string, string>();

function accessText(row: Row, keys: readonly string[]): string {
  const powers = row.is_owners ? organizationPowers.all : row.organization_access;
  const key = `${powers}/${keys.length}`;
  const access: Record<string, boolean> = organizationAccessOf(powers);
  const text = accessTexts.get(key) ?? JSON.stringify(Object.fromEntries(keys.map(one => [one, access[one]])));
  accessTexts.set(key, text);
  return text;
}

function documentOf(row: Row, keys: readonly string[]): string {
  const self = `/api/v2/teams/${row.id}`;
  const isChangeable = !row.is_owners;
  return `{"id":"${row.id}","type":"teams","attributes":{"name":"${row.name}","sso-team-id":${JSON.stringify(row.sso_team_id)},"users-count":${row.user_ids.length},"visibility":"${row.visibility}","allow-member-token-management":${row.allow_member_token_management},"allow-team-token-management":${row.allow_member_token_management},"is-unified":false,"permissions":{"can-update-membership":true,"can-destroy":${isChangeable},"can-update-organization-access":${isChangeable},"can-update-api-token":true,"can-update-visibility":${isChangeable}},"organization-access":${accessText(row, keys)}},"relationships":{"users":{"data":${many('users', row.user_ids)}},"organization-memberships":{"data":${many('organization-memberships', row.membership_ids)}},"organization":{"data":{"id":"${row.organization_name}","type":"organizations"},"links":{"related":"/api/v2/organizations/${row.organization_name}"}},"authentication-token":{"meta":{}${row.has_token ? `,"links":{"related":"${self}/authentication-token"}` : ''}},"authentication-tokens":{"links":{"related":"${self}/authentication-tokens"}}},"links":{"self":"${self}"}}`;
}

const many = (type: string, ids: readonly string[]) =>
  `[${ids.map(id => `{"id":"${id}","type":"${type}"}`).join(',')}]`;
