/**
 * Entity tags: a digest of what an answer shows. Whoever has read that before is told that it still holds (304), and a change
 * that was meant for what somebody read is not made to anything else (412). docs/decisions/entity-tags.md says why digests.
 */
import { createHash } from 'node:crypto';
import type { Row } from './fields.ts';

/** 22 characters that differ where any of the parts does. */
export function digestOf(parts: readonly (string | Buffer)[]): string {
  const hash = createHash('sha1');
  for (const part of parts) hash.update(part);
  return hash.digest('base64url').slice(0, 22);
}

interface WholeList {
  rows: readonly Row[];
  meta?: Readonly<Record<string, unknown>>;
  links?: Readonly<Record<string, unknown>>;
}

/** What a list without pages has beside its records, as JSON members. */
export function wholeListMembers({ meta = {}, links }: Pick<WholeList, 'meta' | 'links'>): string[] {
  return [
    ...(Object.keys(meta).length > 0 ? [`"meta":${JSON.stringify(meta)}`] : []),
    ...(links ? [`"links":${JSON.stringify(links)}`] : []),
  ];
}

/** Of a list without pages, as its answer is tagged. */
export const listDigest = (list: WholeList, ofRow: (row: Row) => string): string =>
  digestOf([...list.rows.map(ofRow), ...wholeListMembers(list)]);

/** @param included a digest of what is shown beside the record, which tells nothing about the record itself */
export function entityTag(digest: string, included: string | null): string {
  return included === null ? `"${digest}"` : `"${digest}.${included}"`;
}

/** Whether `If-None-Match` names the whole of what would be answered. */
export function isKnown(header: string | undefined, tag: string): boolean {
  return header !== undefined && (header.trim() === '*' || tagsIn(header).includes(tag.slice(1, -1)));
}

/** Whether `If-Match` names the record as it is now, whatever was included when it was read. */
export function isMeant(header: string, digest: string): boolean {
  return header.trim() === '*' || tagsIn(header).some(tag => tag.split('.', 1)[0] === digest);
}

/** Proxies that compress answers mark tags as weak; these stand for content, not for bytes, so that takes nothing from them. */
function tagsIn(header: string): string[] {
  return [...header.matchAll(/"([^"]*)"/g)].map(([, tag]) => tag!);
}
