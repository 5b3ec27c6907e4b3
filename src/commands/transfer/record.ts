// Records as two servers can compare them: known by name, and with names where their documents have ids.

/** What JSON can say. */
export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };
export type Content = { [name: string]: Json };

export interface MovedRecord {
  /** One of its kind in the organization. */
  name: string;
  /** On the server that it was read from. */
  id: string;
  content: Content;
  /** What of it nobody can read, and what to do about it. */
  missing: Missing[];
}

export interface Missing {
  what: string;
  why: string;
  /** Whether somebody has to fill something in. */
  toFill: boolean;
}

export interface Difference {
  /** `vars.env AWS_REGION.value`. */
  path: string;
  from: Json | undefined;
  to: Json | undefined;
}

/** Every value in which two contents differ. `undefined` stands for what is not there. */
export function differences(from: Json | undefined, to: Json | undefined, path = ''): Difference[] {
  if (isObject(from) && isObject(to)) {
    const names = [...new Set([...Object.keys(from), ...Object.keys(to)])].sort();
    return names.flatMap(name => differences(from[name], to[name], path ? `${path}.${name}` : name));
  }
  return JSON.stringify(from) === JSON.stringify(to) ? [] : [{ path, from, to }];
}

/** Those members of `wanted` that `present` has otherwise, whole. */
export function changed(wanted: Content, present: Content | undefined): Content {
  const names = Object.keys(wanted).filter(name => differences(wanted[name], present?.[name]).length > 0);
  return Object.fromEntries(names.map(name => [name, wanted[name]!]));
}

export function isObject(value: Json | undefined): value is Content {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
