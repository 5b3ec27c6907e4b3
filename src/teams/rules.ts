/** §2.1, §4.1: the rules of a team's attributes. Pure: values in, faults out. */
import { type OrganizationAccess, settleOrganizationAccess } from '../access/organization-access.ts';
import { attributeFault, type Fault } from '../errors.ts';
import type { Deployment } from '../jsonapi/fields.ts';

const documentedName = /^[A-Za-z0-9_-]{1,64}$/;
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
  return [attributeFault('name', 'Name may only contain letters, numbers, - and _, and at most 64 of them')];
}

/** The three rules of §2.1, and the chain of the keys that manage teams. */
export function settleAccess(
  given: Partial<OrganizationAccess> | undefined,
  before: number,
): { bits: number; faults: Fault[] } {
  const settled = settleOrganizationAccess(given ?? {}, before);
  if (typeof settled === 'number') return { bits: settled, faults: [] };
  const reason = `${settled.key} requires ${settled.needs.join(' or ')}`;
  return { bits: before, faults: [attributeFault(`organization-access.${settled.key}`, reason)] };
}
