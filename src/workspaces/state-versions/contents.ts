/** What a state says of itself, its outputs and its resources, collected while it streams by (§2.2). */
import { limits } from '../../core/limits.ts';
import { blockReader, type Counts, type Group, type Instance } from './blocks.ts';
import { jsonReader, type Kind, type Place, Unwanted, type Visitor, type Wish } from './json-reader.ts';
import { type Output, outputReader } from './output-reader.ts';
import { textAt, textLimit } from './texts.ts';

export type { Instance, Output };

export interface StateContents {
  formatVersion: number | null;
  engineVersion: string | null;
  lineage: string | null;
  /** False where resources cannot be told: another format, or a content that the client encrypted. */
  isReadable: boolean;
  groups: Group[];
  modules: Counts;
  providers: Counts;
  /** Without those that cost nothing anywhere. */
  billableCount: number;
}

export interface ContentsReader {
  /** Throws NotJson and Unwanted. */
  push: (chunk: Buffer) => void;
  /** Throws NotJson where the document has not ended. */
  end: () => StateContents;
  /** What came to light since it was asked last: it is to be stored before more is pushed. */
  drain: () => { outputs: Output[]; instances: Instance[] };
}

const knownFormat = 4;
const isPresent = (kind: Kind) => kind !== 'word';

/** The members of the document that are read whole, and how long each may be. */
const members: Record<string, number> = {
  version: 32,
  lineage: textLimit(limits.stateText_characters.value),
  terraform_version: textLimit(limits.stateText_characters.value),
};

export function contentsReader(): ContentsReader {
  const said: Record<string, string> = {};
  const seen = new Set<string>();
  const outputs = outputReader();
  const blocks = blockReader();
  const visitor: Visitor = {
    begin: (place, kind) => {
      if (place.length === 0) return 'enter';
      if (place[0] === 'outputs' && place.length > 1) return outputs.begin(place, kind);
      if (place[0] === 'resources' && place.length > 1) return blocks.begin(place, kind);
      return beginMember(place, kind, seen);
    },
    taken: (place, json) => {
      if (place.length === 1) said[String(place[0])] = json.toString();
      else if (place[0] === 'outputs') outputs.taken(place, json);
      else blocks.taken(place, json);
    },
    end: (place, digest) => {
      if (place.length === 2 && place[0] === 'outputs') outputs.end(place);
      else if (place[0] === 'resources' && place.length > 1) blocks.end(place, digest);
    },
  };
  const reader = jsonReader(visitor, limits.stateDepth_levels.value);
  return {
    push: reader.push,
    end: () => {
      reader.end();
      const version = said['version'] === undefined ? null : JSON.parse(said['version']);
      return {
        formatVersion: Number.isInteger(version) ? Math.max(-1, Math.min(version, 2 ** 31 - 1)) : null,
        engineVersion: optionalText('terraform_version', said),
        lineage: optionalText('lineage', said),
        isReadable: version === knownFormat && !seen.has('encrypted_data'),
        ...blocks.summary(),
      };
    },
    drain: () => ({ outputs: outputs.drain(), instances: blocks.drain() }),
  };
}

function beginMember(place: Place, kind: Kind, seen: Set<string>): Wish {
  const name = String(place[0]);
  const limit = Object.hasOwn(members, name) ? members[name]! : 0;
  const isContainer = name === 'outputs' || name === 'resources';
  if (!isContainer && limit === 0 && name !== 'encrypted_data') return 'skip';
  if (seen.has(name)) throw new Unwanted(place, 'is there twice');
  seen.add(name);
  if (limit > 0) return limit;
  if (!isContainer || !isPresent(kind)) return 'skip';
  if (kind !== (name === 'outputs' ? 'object' : 'list'))
    throw new Unwanted(place, `must be ${name === 'outputs' ? 'an object' : 'a list'}`);
  return 'enter';
}

function optionalText(name: string, said: Record<string, string>): string | null {
  const json = said[name];
  if (json === undefined || json === 'null') return null;
  return textAt([name], json, limits.stateText_characters.value);
}
