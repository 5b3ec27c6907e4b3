/** §2.1, §4.1: the rules of a team's attributes. Pure: values in, faults out. */
import { type OrganizationAccess, settleOrganizationAccess } from '../../access/organization-access.ts';
import { attributeFault, type Fault } from '../../core/errors.ts';
import type { Deployment } from '../../core/jsonapi/fields.ts';

const documentedName = /^[A-Za-z0-9_-]{1,90}$/;
/** Anything that prints, without space around it. */
const vendorName = /^(?!\s)[^\p{Cc}\p{Cs}]{1,255}(?<!\s)$/u;

/** Letters, digits, `-` and `_`; under the vendor profile any printable name, as clients' own tests need. */
export function nameFaults(name: string | undefined, { profile }: Deployment): Fault[] {
  if (name === undefined) return [];
  if (name.trim() === '') return [attributeFault('name', "Name can't be blank")];
  if (profile === 'vendor') {
    if (vendorName.test(name)) return [];
    return [attributeFault('name', 'Name must be printable, without space around it, and at most 255 characters long')];
  }
  if (documentedName.test(name)) return [];
  return [attributeFault('name', 'Name may only contain letters, numbers, - and _, and at most 90 of them')];
}

/** The three rules of §2.1, and the chain of the keys that manage teams. Each fault points at a key that was sent. */
export function settleAccess(
  given: Partial<OrganizationAccess> | undefined,
  before: number,
  isCreate = false,
): { bits: number; faults: Fault[] } {
  const { bits, conflicts } = settleOrganizationAccess(given ?? {}, before, isCreate);
  if (!given) return { bits: before, faults: [] };
  const faults = conflicts.map(({ key, needs }) => {
    const sent = [key, ...needs].find(name => Object.hasOwn(given, name));
    const place = sent ? `organization-access.${sent}` : 'organization-access';
    return attributeFault(place, `${key} requires ${needs.join(' or ')}`);
  });
  return { bits, faults };
}

/** Null and an empty string both clear it; undefined leaves it as it is. */
export function settleSsoTeamId(given: string | null | undefined): string | null | undefined {
  return given === '' ? null : given;
}
