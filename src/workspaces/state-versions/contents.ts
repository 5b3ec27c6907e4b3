/** What a state says of its outputs and resources, collected while it streams by. */
import { createHash } from 'node:crypto';
import { newId } from '../../core/store/ids.ts';
import { NotJson, stateScanner } from './scan.ts';

export interface Output {
  name: string;
  sensitive: boolean;
  type: string;
  /** The type in the client's own notation, such as `["list", "string"]`. */
  detailedType: unknown;
  value: unknown;
}

/** A managed instance, as it becomes a row of `workspace_resources`. */
export interface Instance {
  id: string;
  address: string;
  address_digest: string;
  name: string;
  name_index: string | null;
  module: string;
  provider: string;
  provider_type: string;
  fingerprint: string;
}

/** One resource block of the state. */
export interface Group {
  name: string;
  type: string;
  count: number;
  module: string;
  provider: string;
}

type Counts = Record<string, Record<string, number>>;

export interface StateContents {
  formatVersion: number | null;
  engineVersion: string | null;
  lineage: string | null;
  /** False where resources cannot be told: another format, a content that the client encrypted, a piece that is too large. */
  isReadable: boolean;
  outputs: Output[];
  instances: Instance[];
  groups: Group[];
  modules: Counts;
  providers: Counts;
  /** Without those that cost nothing anywhere. */
  billableCount: number;
}

/** The blocks that a document shows; the count of resources and their list are always whole. */
const shownGroupLimit = 1000;
const knownFormat = 4;
const freeTypes = new Set(['null_resource', 'terraform_data']);

interface ResourceBlock {
  module?: string;
  mode?: string;
  type?: string;
  name?: string;
  provider?: string;
  instances?: { index_key?: string | number; deposed?: string }[];
}

/** Give it every chunk, then `end`. Both throw NotJson for what is no JSON object. */
export function contentsReader(): { push: (chunk: Buffer) => void; end: () => StateContents } {
  const members: Record<string, unknown> = {};
  const outputs: Output[] = [];
  const instances = new Map<string, Instance>();
  const groups: Group[] = [];
  const tallies = { modules: {} as Counts, providers: {} as Counts, billable: 0 };
  const scanner = stateScanner((member, item, json) => {
    if (item === null) members[member] = typeof json === 'object' ? null : json;
    else if (member === 'outputs') outputs.push(asOutput(item, json));
    else addResource(json as ResourceBlock | null, instances, groups, tallies);
  });
  return {
    push: scanner.push,
    end: () => {
      const isWhole = scanner.end();
      const { version, lineage, terraform_version: engineVersion } = members;
      return {
        formatVersion: Number.isInteger(version) ? Math.min(Number(version), 2 ** 31 - 1) : null,
        engineVersion: typeof engineVersion === 'string' ? storable(engineVersion) : null,
        lineage: typeof lineage === 'string' ? storable(lineage) : null,
        isReadable: isWhole && version === knownFormat && members['encrypted_data'] === undefined,
        outputs,
        instances: [...instances.values()],
        groups: groups.slice(0, shownGroupLimit),
        modules: tallies.modules,
        providers: tallies.providers,
        billableCount: tallies.billable,
      };
    },
  };
}

function asOutput(name: string, json: unknown): Output {
  const { value = null, type = null, sensitive = false } = (json ?? {}) as Record<string, unknown>;
  return { name: storable(name), sensitive: sensitive === true, type: wordOf(type, value), detailedType: type, value };
}

/** `string`, `number`, `bool`, `array` or `object`. */
function wordOf(type: unknown, value: unknown): string {
  const kind = Array.isArray(type) ? type[0] : type;
  if (kind === 'list' || kind === 'set' || kind === 'tuple' || Array.isArray(value)) return 'array';
  if (kind === 'map' || kind === 'object') return 'object';
  if (kind === 'string' || kind === 'number' || kind === 'bool') return kind;
  return typeof value === 'boolean' ? 'bool' : typeof value === 'number' ? 'number' : typeof value;
}

function addResource(
  block: ResourceBlock | null,
  instances: Map<string, Instance>,
  groups: Group[],
  tallies: { modules: Counts; providers: Counts; billable: number },
): void {
  if (typeof block !== 'object' || block === null || Array.isArray(block)) {
    throw new NotJson('an element of resources is no object');
  }
  const [type, name, path] = [block.type, block.name, block.module].map(each => storable(String(each ?? '')));
  // `module.network.module.edge[0]` is known to clients as `network.edge[0]`.
  const within = path!.replace(/(^|\.)module\./g, '$1');
  const isData = block.mode === 'data';
  const shownType = `${isData ? 'data.' : ''}${type}`;
  const module = within === '' ? 'root' : within.replace(/\[[^\]]*\]/g, '');
  const provider = storable(String(block.provider ?? ''));
  const all = Array.isArray(block.instances) ? block.instances : [];
  groups.push({ name: name!, type: shownType, count: all.length, module, provider });
  for (const [counts, key] of [[tallies.modules, module] as const, [tallies.providers, provider] as const]) {
    const own = Object.hasOwn(counts, key) ? counts[key]! : {};
    counts[key] = { ...own, [dashed(shownType)]: (own[dashed(shownType)] ?? 0) + all.length };
  }
  if (isData) return;
  if (!freeTypes.has(type!)) tallies.billable += all.length;
  for (const one of all) {
    const index = indexOf(one?.index_key);
    const deposed = one?.deposed ? ` (deposed ${storable(String(one.deposed))})` : '';
    const address = `${within === '' ? '' : `${within}.`}${type}.${name}${index.suffix}${deposed}`;
    instances.set(address, {
      id: newId('wsr'),
      address,
      address_digest: digest(address),
      name: name!,
      name_index: index.key,
      module,
      provider: shortProvider(provider),
      provider_type: type!,
      fingerprint: digest(JSON.stringify(one)),
    });
  }
}

function indexOf(key: unknown): { key: string | null; suffix: string } {
  if (key === undefined || key === null) return { key: null, suffix: '' };
  const text = storable(String(key));
  return { key: text, suffix: typeof key === 'number' ? `[${text}]` : `[${JSON.stringify(text)}]` };
}

/** `provider["registry.terraform.io/hashicorp/null"]` → `hashicorp/null`. */
function shortProvider(provider: string): string {
  const source = /provider\["([^"]*)"\]/.exec(provider)?.[1] ?? provider;
  return source.split('/').slice(-2).join('/');
}

const dashed = (type: string) => type.replaceAll('_', '-');

const digest = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 22);

/** PostgreSQL holds neither NUL nor lone surrogates; JSON may. */
function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}
