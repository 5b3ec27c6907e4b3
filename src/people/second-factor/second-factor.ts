/** §1 Second factor of a person: the document, the SELECT and the finder. Its secret is shown once, to set up the app with. */
import { userPowers } from '../../access/policy.ts';
import { boolean, column, computed, integer, nullable, text, texts, timestamp } from '../../core/jsonapi/fields.ts';
import { type Finder, records, type Subject } from '../../core/jsonapi/records.ts';
import { type RowOf, resource } from '../../core/jsonapi/resource.ts';
import { authenticator } from './codes.ts';

interface SecondFactorRow extends Subject<'user'> {
  username: string;
  /** Whether it was begun, though no code has confirmed it yet. */
  is_begun: boolean;
  is_service_account: boolean;
  secret?: string;
  codes?: string[];
}

const attributes = {
  'is-enabled': column(boolean),
  'confirmed-at': column(nullable(timestamp)),
  'recovery-codes-left': column(integer),
  /** Both only in the answer that began it: the app takes either. */
  secret: computed(nullable(text), (row: SecondFactorRow) => row.secret ?? null),
  'otpauth-url': computed(nullable(text), urlOf),
  /** Only in the answer that made them. */
  'recovery-codes': computed(nullable(texts), (row: SecondFactorRow) => row.codes ?? null),
};

export const secondFactors = resource({ type: 'second-factors', attributes, relationships: {} });

export interface SecondFactor extends RowOf<typeof attributes>, SecondFactorRow {}

function urlOf({ secret, username }: SecondFactorRow): string | null {
  return secret === undefined ? null : authenticator(secret, 'Terrane', username).toString();
}

/** Every person has one: that it is off is a fact about it, too. */
const secondFactorRecords = records<SecondFactor>({
  table: 'users',
  columns: sql => sql`
    users.id, users.username, users.is_service_account, second_factors.user_id is not null as is_begun,
    second_factors.confirmed_at, second_factors.confirmed_at is not null as is_enabled,
    (select count(*) from recovery_codes where recovery_codes.user_id = users.id) as recovery_codes_left`,
  from: sql => sql`users left join second_factors on second_factors.user_id = users.id`,
  isVisible: (sql, actor) => sql`users.id = ${actor.userId} and not users.is_service_account`,
  powers: () => userPowers.of('read', 'hold'),
});

const byUser = secondFactorRecords.byId('user_id');

export const ownSecondFactor: Finder<SecondFactor> = {
  parameter: 'user_id',
  find: look => byUser.find(look, { user_id: look.actor.userId }),
};
