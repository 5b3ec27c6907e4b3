/** §4.6 Tag bindings at both families of addresses: the same story for workspaces and for projects. */

import { Type } from 'typebox';
import { type Fault, faultAt } from '../../core/errors.ts';
import { embedded, valueBody } from '../../core/jsonapi/body.ts';
import { type AnyEndpoint, type Context, endpoint } from '../../core/jsonapi/endpoint.ts';
import type { Relationship } from '../../core/jsonapi/fields.ts';
import type { Finder, Needs, Subject } from '../../core/jsonapi/records.ts';
import { type BindingGiven, bindingFaults, bindingGiven, bindingLimit } from './binding-rules.ts';
import { effectiveTagBindings } from './effective-tag-binding.ts';
import { addBindings, type HolderType, readBindings, replaceBindings, tagBindings } from './tag-binding.ts';

type Holder = Subject<string> & { organization_id: string };

export interface Holding<Found extends Holder> {
  type: HolderType;
  /** `/workspaces/:workspace_id` */
  path: `/${string}`;
  subject: Finder<Found>;
  read: Needs<Found>;
  manage: Needs<Found>;
  effective: NonNullable<Relationship['gather']>;
}

const given = embedded('tag-bindings', bindingGiven);
const body = valueBody<BindingGiven[]>(
  Type.Object({ data: given.schema }),
  json => given.read((json as { data: unknown }).data),
  [],
);

/** The older family lists, and adds by PATCH with the list as its answer; the newer one adds by POST and replaces. */
export function bindingEndpoints<Found extends Holder>(holding: Holding<Found>): AnyEndpoint[] {
  return [...readingEndpoints(holding), ...addingEndpoints(holding), replacingEndpoint(holding)];
}

function readingEndpoints<Found extends Holder>({ type, path, subject, read, effective }: Holding<Found>) {
  return [
    endpoint({
      operation: `${type}.list-tag-bindings`,
      section: '§4.6',
      summary: 'List the tag bindings made directly here',
      method: 'GET',
      paths: [`${path}/tag-bindings`, `${path}/relationships/tag-bindings`],
      subject,
      needs: read,
      answer: { status: 200, collection: tagBindings, pages: 'never' },
      handle: async ({ sql, subject }) => listed(type, subject.id, await readBindings(sql, type, subject.id)),
    }),
    endpoint({
      operation: `${type}.list-effective-tag-bindings`,
      section: '§4.6',
      summary: 'List the tag bindings in effect: direct and inherited',
      method: 'GET',
      paths: [`${path}/effective-tag-bindings`],
      subject,
      needs: read,
      answer: { status: 200, collection: effectiveTagBindings, pages: 'never' },
      handle: async ({ sql, subject }) => {
        const rows = (await effective(sql, [subject])).get(subject.id) ?? [];
        return { rows, total: rows.length };
      },
    }),
  ];
}

function addingEndpoints<Found extends Holder>({ type, path, subject, manage }: Holding<Found>) {
  const common = { section: '§4.6', subject, needs: manage, body, errors: ['invalid-relationship'] } as const;
  const check = async (context: Context<Found, BindingGiven[]>) => {
    const { sql, subject, body, faults } = context;
    faults.push(...bindingFaults(body, '/data'));
    const before = await readBindings(sql, type, subject.id);
    faults.push(...tooMany(before, body));
  };
  return [
    endpoint({
      ...common,
      operation: `${type}.add-tag-bindings`,
      summary: 'Add or change tag bindings, and list them as they were named',
      method: 'PATCH',
      paths: [`${path}/tag-bindings`],
      answer: { status: 200, collection: tagBindings, pages: 'never' },
      check,
      handle: async ({ sql, subject, body, note }) => {
        await addBindings(sql, type, subject, body);
        note({ 'tag-bindings': body });
        const byKey = new Map((await readBindings(sql, type, subject.id)).map(binding => [binding.key, binding]));
        return listed(
          type,
          subject.id,
          body.map(({ key }) => byKey.get(key)!),
        );
      },
    }),
    endpoint({
      ...common,
      operation: `${type}.append-tag-bindings`,
      summary: 'Add or change tag bindings',
      method: 'POST',
      paths: [`${path}/relationships/tag-bindings`],
      answer: { status: 204 },
      check,
      handle: async ({ sql, subject, body, note }) => {
        await addBindings(sql, type, subject, body);
        note({ 'tag-bindings': body });
      },
    }),
  ];
}

function replacingEndpoint<Found extends Holder>({ type, path, subject, manage }: Holding<Found>) {
  return endpoint({
    operation: `${type}.replace-tag-bindings`,
    section: '§4.6',
    summary: 'Replace all tag bindings',
    method: 'PATCH',
    paths: [`${path}/relationships/tag-bindings`],
    subject,
    needs: manage,
    body,
    answer: { status: 204 },
    errors: ['invalid-relationship'],
    check: ({ body, faults }) => void faults.push(...bindingFaults(body, '/data')),
    handle: async ({ sql, subject, body, note }) => {
      await replaceBindings(sql, type, subject, body);
      note({ 'tag-bindings': body });
    },
  });
}

/** §8: at most ten on one workspace or project, with those that are there. Its row is locked, so none can slip in. */
function tooMany(before: readonly { key: string }[], given: readonly BindingGiven[]): Fault[] {
  const keys = new Set([...before, ...given].map(({ key }) => key));
  if (keys.size <= bindingLimit || given.length > bindingLimit) return [];
  return [faultAt('invalid-relationship', '/data', { reason: `cannot exceed ${bindingLimit} bindings per resource` })];
}

function listed(type: HolderType, holderId: string, rows: Awaited<ReturnType<typeof readBindings>>) {
  return { rows, total: rows.length, links: { target: `/api/v2/${type}/${holderId}` } };
}
