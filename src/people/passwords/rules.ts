/** What a new password must be: long, and not one that everybody tries first. */
import { Type } from 'typebox';
import { attributeFault, type Fault } from '../../core/errors.ts';

/** Any characters at all; longer than anybody types, so that hashing it stays cheap. */
export const newPassword = Type.String({
  minLength: 12,
  maxLength: 256,
  'x-rule': 'must have 12 to 256 characters; any will do, and several words are best',
});

/** What somebody claims to be a password. */
export const givenPassword = Type.String({ maxLength: 256 });

/** Faults of a password that its schema accepts. `names` are what its person is known by. */
export async function passwordFaults(password: string, names: readonly string[]): Promise<Fault[]> {
  const wanted = password.normalize('NFKC').toLowerCase();
  if (names.some(name => name.toLowerCase() === wanted)) {
    return [attributeFault('password', 'Password must not be the name or the address of the account')];
  }
  if ((await commonest()).has(wanted)) {
    return [attributeFault('password', 'Password is among those that are tried first. Choose one of your own')];
  }
  return [];
}

let known: Promise<ReadonlySet<string>> | undefined;

/** Read when first asked for: it is two megabytes that most days nobody needs. */
function commonest(): Promise<ReadonlySet<string>> {
  known ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'].map(String)),
  );
  return known;
}
