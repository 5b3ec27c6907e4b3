/** The statements whose plans a session keeps, by their texts. */
import { serialize } from 'pg-protocol';
import { limits } from '../limits.ts';
import type { Fields } from './wire.ts';

export interface Prepared {
  /** Empty for a statement whose plan is not kept. */
  name: string;
  /** The columns of its result; null until the server has told them. */
  fields: Fields | null;
}

export interface PreparedStatements {
  /** The statement of this text, and what has to be said before it is used: nothing, where it is known well. */
  take: (isNamed: boolean, text: string) => { prepared: Prepared; messages: Buffer[] };
  unnamed: () => Prepared;
  /** The next one of this text gets another name. */
  forget: (text: string, prepared: Prepared) => void;
  forgetAll: () => void;
}

const nothing: Buffer[] = [];
const unnamed = (): Prepared => ({ name: '', fields: null });

export function preparedStatements(): PreparedStatements {
  // A map keeps the order in which its members came: the first one is the one that was used longest ago.
  const known = new Map<string, Prepared>();
  let names = 0;
  let closing: Buffer[] = [];
  const make = (text: string) => {
    names += 1;
    const prepared: Prepared = { name: `s${names}`, fields: null };
    const messages = [...closing, parse(text, prepared), describe(prepared)];
    closing = [];
    const [oldest] = known;
    if (oldest && known.size >= limits.preparedStatements_items.value) {
      known.delete(oldest[0]);
      messages.unshift(serialize.close({ type: 'S', name: oldest[1].name }));
    }
    known.set(text, prepared);
    return { prepared, messages };
  };
  return {
    unnamed,
    take: (isNamed, text) => {
      if (!isNamed) {
        const prepared = unnamed();
        return { prepared, messages: [parse(text, prepared), describe(prepared)] };
      }
      const prepared = known.get(text);
      if (!prepared) return make(text);
      known.delete(text);
      known.set(text, prepared);
      // Written again before the answer to the first time has come: each asks for itself.
      return { prepared, messages: prepared.fields ? nothing : [describe(prepared)] };
    },
    forget: (text, prepared) => {
      if (known.get(text) === prepared) known.delete(text);
    },
    forgetAll: () => {
      for (const { name } of known.values()) closing.push(serialize.close({ type: 'S', name }));
      known.clear();
    },
  };
}

const parse = (text: string, { name }: Prepared) => serialize.parse({ text, name, types: [] });
const describe = ({ name }: Prepared) => serialize.describe({ type: 'S', name });
