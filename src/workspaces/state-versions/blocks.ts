/** The resource blocks of a state and their instances, one by one. */
import { createHash } from 'node:crypto';
import { limits } from '../../core/limits.ts';
import { newId } from '../../core/store/ids.ts';
import { type Kind, type Place, Unwanted, type Wish } from './json-reader.ts';
import { textAt, textLimit } from './texts.ts';

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

export type Counts = Record<string, Record<string, number>>;

/** An instance before the names of its block are known. */
interface Bare {
  key: string | number | null;
  deposed: string;
  fingerprint: string;
}

interface Block {
  place: Place;
  mode: string;
  type: string;
  name: string;
  provider: string;
  module: string;
  /** The members that came so far. */
  said: Set<string>;
  count: number;
  /** Those that came before the names of the block. */
  held: Bare[];
}

const freeTypes = new Set(['null_resource', 'terraform_data']);
const names = ['mode', 'type', 'name', 'provider', 'module'] as const;
/** By which the resources of a block are told from others. A module is named only where there is one. */
const needed = ['mode', 'type', 'name', 'provider'];
const mostCharacters = limits.stateName_characters.value;

export function blockReader() {
  const tally = talliesOf();
  let block: Block = emptyBlock([]);
  let bare: Bare = emptyInstance();
  let ready: Instance[] = [];
  let [count, heldBytes] = [0, 0];

  const emit = (one: Bare) => {
    if (block.mode !== 'data') ready.push(instanceOf(block, one));
  };
  const addInstance = (place: Place) => {
    count += 1;
    block.count += 1;
    if (count > limits.stateInstances_items.value) {
      throw new Unwanted(
        place,
        `is more than the ${limits.stateInstances_items.value} instances that a state may have`,
      );
    }
    if (areNamesKnown(block)) return emit(bare);
    block.held.push(bare);
    heldBytes += 100 + 2 * (String(bare.key ?? '').length + bare.deposed.length);
    if (heldBytes > limits.stateHeld_bytes.value) {
      throw new Unwanted(
        block.place,
        'has more instances than can be held before its mode, type, name and provider are known: name them first',
      );
    }
  };
  return {
    begin: (place: Place, kind: Kind): Wish => {
      if (place.length === 2 || place.length === 4) {
        if (kind !== 'object') throw new Unwanted(place, 'must be an object');
        if (place.length === 4) bare = emptyInstance();
        else block = emptyBlock([...place]);
        return place.length === 4 ? 'digest' : 'enter';
      }
      return place.length === 3 ? beginMember(place, kind, block) : beginInstanceMember(place);
    },
    taken: (place: Place, json: Buffer): void => {
      const text = json.toString();
      if (place.length === 5) setInstanceMember(bare, place, text);
      else if (text !== 'null') block[place[2] as 'type'] = textAt(place, text, mostCharacters);
    },
    end: (place: Place, digest: string | null): void => {
      if (place.length === 4) {
        bare.fingerprint = digest!.slice(0, 22);
        addInstance(place);
      }
      if (place.length !== 2) return;
      if (block.type === '' || block.name === '') throw new Unwanted(place, 'must have a type and a name');
      for (const one of block.held) emit(one);
      heldBytes = 0;
      tally.add(block);
    },
    drain: (): Instance[] => {
      const drained = ready;
      ready = [];
      return drained;
    },
    summary: tally.summary,
  };
}

const emptyBlock = (place: Place): Block => ({
  ...{ place, mode: 'managed', type: '', name: '', provider: '', module: '' },
  ...{ said: new Set(), count: 0, held: [] },
});

const emptyInstance = (): Bare => ({ key: null, deposed: '', fingerprint: '' });

/** Once instances of theirs went by, the names of a block cannot change any more. */
const areNamesKnown = ({ said }: Block) => needed.every(name => said.has(name));

function beginMember(place: Place, kind: Kind, block: Block): Wish {
  const member = String(place[2]);
  const isName = (names as readonly string[]).includes(member);
  if (!isName && member !== 'instances') return 'skip';
  if (block.said.has(member)) throw new Unwanted(place, 'is there twice');
  if (isName && block.count > block.held.length) throw new Unwanted(place, 'must stand before the instances');
  block.said.add(member);
  if (isName) return textLimit(mostCharacters);
  if (kind !== 'list' && kind !== 'word') throw new Unwanted(place, 'must be a list');
  return kind === 'list' ? 'enter' : 'skip';
}

function beginInstanceMember(place: Place): Wish {
  return place[4] === 'index_key' || place[4] === 'deposed' ? textLimit(mostCharacters) : 'skip';
}

function setInstanceMember(bare: Bare, place: Place, json: string): void {
  if (json === 'null') return;
  if (place[4] === 'deposed') bare.deposed = textAt(place, json, mostCharacters);
  else if (json.startsWith('"')) bare.key = textAt(place, json, mostCharacters);
  else if (/^-?\d{1,16}$/.test(json)) bare.key = Number(json);
  else throw new Unwanted(place, 'must be a text or a whole number');
}

function instanceOf({ type, name, module, provider }: Block, { key, deposed, fingerprint }: Bare): Instance {
  const path = pathOf(module);
  const index = key === null ? '' : `[${JSON.stringify(key)}]`;
  const suffix = deposed === '' ? '' : ` (deposed ${deposed})`;
  const address = `${path === '' ? '' : `${path}.`}${type}.${name}${index}${suffix}`;
  return {
    id: newId('wsr'),
    address,
    address_digest: createHash('sha256').update(address).digest('base64url').slice(0, 22),
    name,
    name_index: key === null ? null : String(key),
    module: moduleOf(path),
    provider: shortProvider(provider),
    provider_type: type,
    fingerprint,
  };
}

/** `module.network.module.edge[0]` is known to clients as `network.edge[0]`. */
function pathOf(module: string): string {
  return module.replace(/(^|\.)module\./g, '$1');
}

/** Without the keys of instances: `network["a"].edge[0]` → `network.edge`. */
function moduleOf(path: string): string {
  if (path === '') return 'root';
  let kept = '';
  let from = 0;
  for (let start = path.indexOf('['); start >= 0; start = path.indexOf('[', from)) {
    const end = path.indexOf(']', start);
    if (end < 0) break;
    kept += path.slice(from, start);
    from = end + 1;
  }
  return kept + path.slice(from);
}

/** `provider["registry.terraform.io/hashicorp/null"]` → `hashicorp/null`. */
function shortProvider(provider: string): string {
  const start = provider.indexOf(sourceBegins);
  const end = start < 0 ? -1 : provider.indexOf('"]', start);
  const source = end < 0 ? provider : provider.slice(start + sourceBegins.length, end);
  return source.split('/').slice(-2).join('/');
}

const sourceBegins = 'provider["';

/** What documents show of all blocks: how many of what. Entries for which there is no room are left out. */
function talliesOf() {
  const [modules, providers] = [tallyOf(), tallyOf()];
  const groups: Group[] = [];
  const types = new Set<string>();
  let [billableCount, room] = [0, limits.stateShown_bytes.value];
  return {
    add: ({ place, mode, type, name, module, provider, count }: Block) => {
      types.add(type);
      if (types.size > limits.stateTypes_items.value) {
        throw new Unwanted(place, `has one type more than the ${limits.stateTypes_items.value} that a state may have`);
      }
      const isData = mode === 'data';
      const shownType = `${isData ? 'data.' : ''}${type}`;
      const within = moduleOf(pathOf(module));
      modules.add(within, shownType.replaceAll('_', '-'), count);
      providers.add(provider, shownType.replaceAll('_', '-'), count);
      if (!isData && !freeTypes.has(type)) billableCount += count;
      room -= 80 + name.length + shownType.length + within.length + provider.length;
      if (room >= 0 && groups.length < shownGroupLimit)
        groups.push({ name, type: shownType, count, module: within, provider });
    },
    summary: () => ({ groups, modules: modules.counts(), providers: providers.counts(), billableCount }),
  };
}

const shownGroupLimit = 1000;

function tallyOf() {
  const counts = new Map<string, Map<string, number>>();
  let room = limits.stateShown_bytes.value;
  return {
    add: (key: string, type: string, count: number) => {
      const known = counts.get(key);
      const before = known?.get(type);
      if (before === undefined) {
        const more = type.length + 12 + (known ? 0 : key.length + 6);
        if (more > room) return;
        room -= more;
      }
      counts.set(key, (known ?? new Map<string, number>()).set(type, (before ?? 0) + count));
    },
    counts: (): Counts => Object.fromEntries([...counts].map(([key, own]) => [key, Object.fromEntries(own)])),
  };
}
