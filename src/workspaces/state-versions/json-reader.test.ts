import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NotJson } from './json-grammar.ts';
import { jsonReader, type Place, Unwanted, type Visitor } from './json-reader.ts';

const deep = 64;

/** Gives the bytes in the pieces that the cuts make of them. */
function read(bytes: Buffer, visitor: Visitor, cuts: readonly number[] = [], depthLimit = deep): void {
  const reader = jsonReader(visitor, depthLimit);
  const places = [0, ...cuts.map(cut => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  for (let index = 1; index < places.length; index += 1) {
    // A copy that is wiped afterwards: nothing may be held of a chunk.
    const chunk = Buffer.from(bytes.subarray(places[index - 1], places[index]));
    reader.push(chunk);
    chunk.fill(0x21);
  }
  reader.end();
}

/** The document as a visitor of two levels sees it, put together again. */
function visited(text: string | Buffer, cuts: readonly number[] = []): Record<string, unknown> {
  const seen: Record<string, unknown> = {};
  const put = (place: Place, value: unknown) => {
    const [member, inner] = place;
    if (place.length === 1) Object.defineProperty(seen, member!, { value, enumerable: true, configurable: true });
    else Object.defineProperty(seen[member!], inner!, { value, enumerable: true, configurable: true });
  };
  const visitor: Visitor = {
    begin: (place, kind) => {
      const isContainer = kind === 'object' || kind === 'list';
      if (place.length === 0) return 'enter';
      if (place.length > 1 || !isContainer) return 1_000_000;
      put(place, kind === 'list' ? [] : {});
      return 'enter';
    },
    taken: (place, json) => put(place, JSON.parse(json.toString())),
  };
  read(Buffer.from(text), visitor, cuts);
  return seen;
}

/** What an object of JSON parses to when no value of it is taken. */
const isTaken = (bytes: Buffer, cuts: readonly number[] = []) => {
  try {
    read(bytes, { begin: place => (place.length === 0 ? 'enter' : 'skip') }, cuts);
    return true;
  } catch (error) {
    if (error instanceof NotJson) return false;
    throw error;
  }
};

const isJsonObject = (bytes: Buffer) => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const json: unknown = JSON.parse(text);
    return typeof json === 'object' && json !== null && !Array.isArray(json);
  } catch {
    return false;
  }
};

const object = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ maxDepth: 5 }), { maxKeys: 6 });
const cuts = fc.array(fc.nat(), { maxLength: 8 });

describe('the reader of JSON', () => {
  test('sees what JSON.parse sees, wherever the chunks are cut', () => {
    fc.assert(
      fc.property(object, cuts, fc.constantFrom(0, 2), (value, cuts, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(visited(text, cuts)).toEqual(JSON.parse(text));
      }),
      { numRuns: 500 },
    );
  });

  test('refuses what JSON.parse refuses, whatever byte of a document is changed or lost', () => {
    const bytes = fc.constantFrom(
      ...Buffer.from('{}[]",:\\/u0123456789abcdefE+-.tn \n\0\x1f\x80\xc3\xe2\xff', 'latin1'),
    );
    const change = fc.tuple(fc.nat(), fc.constantFrom('put', 'lose', 'double'), bytes);
    fc.assert(
      fc.property(object, change, cuts, (value, [place, what, byte], cuts) => {
        const text = Buffer.from(JSON.stringify(value));
        const at = place % text.length;
        const middle = what === 'put' ? [byte] : what === 'lose' ? [] : [text[at]!, text[at]!];
        const changed = Buffer.concat([text.subarray(0, at), Buffer.from(middle), text.subarray(at + 1)]);
        expect(isTaken(changed, cuts), changed.toString('latin1')).toBe(isJsonObject(changed));
      }),
      { numRuns: 3000 },
    );
  });

  test('refuses every way in which a number, a word or an escape can be wrong', () => {
    const parts = ['-', '0', '1', '.', 'e', 'E', '+', '"', '\\', 'u', 'a', 'true', 'tru', 'null', ' ', '\t', '\u0001'];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 7 }), cuts, (some, cuts) => {
        for (const around of [
          ['{"a":', '}'],
          ['{"a":["', '"]}'],
        ]) {
          const text = Buffer.from(`${around[0]}${some.join('')}${around[1]}`);
          expect(isTaken(text, cuts), text.toString()).toBe(isJsonObject(text));
        }
      }),
      { numRuns: 3000 },
    );
  });

  test('refuses a document that ends anywhere before its end, and a second one behind it', () => {
    const text = Buffer.from(
      '{"version": 4, "outputs": {"a": {"value": "\\u00e9ü😀"}}, "resources": [{"n": -1.5e3}, true]}',
    );
    for (let end = 0; end < text.length; end += 1) {
      expect(() => visited(text.subarray(0, end)), String(end)).toThrow(NotJson);
    }
    for (const more of ['}', ' {}', 'x', '\0']) {
      expect(() => visited(Buffer.concat([text, Buffer.from(more)]))).toThrow(NotJson);
    }
    for (const other of ['[]', '1', '"a"', 'null', '', ' ', '\ufeff{}']) expect(() => visited(other)).toThrow(NotJson);
  });

  test('what is nested deeper than it may be is refused at its place, whether it is taken or not', () => {
    const nested = (levels: number) => Buffer.from(`{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`);
    for (const wish of ['skip', 1_000_000] as const) {
      const visitor: Visitor = { begin: place => (place.length === 0 ? 'enter' : wish) };
      expect(() => read(nested(deep - 1), visitor)).not.toThrow();
      expect(() => read(nested(deep), visitor)).toThrow(new Unwanted(['a'], 'is nested over 64 deep'));
      expect(() => read(nested(5_000_000), visitor)).toThrow(Unwanted);
    }
  });

  test('what is taken is refused once it is longer than its limit, wherever it is cut', () => {
    const visitor: Visitor = { begin: place => (place.length === 0 ? 'enter' : 10) };
    for (const cuts of [[], [7], [6, 9, 12]]) {
      expect(() => read(Buffer.from(`{"a":"${'x'.repeat(8)}"}`), visitor, cuts)).not.toThrow();
      const refusal = new Unwanted(['a'], 'is longer than 10 bytes');
      expect(() => read(Buffer.from(`{"a":"${'x'.repeat(9)}"}`), visitor, cuts)).toThrow(refusal);
    }
  });

  test('a text is handed on as it comes, and a digest is the same however it is cut', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), cuts, (value, cuts) => {
        const bytes = Buffer.from(JSON.stringify({ text: value, list: [{ a: value }, 1] }));
        const of = (cuts: readonly number[]) => {
          const [parts, digests]: [Buffer[], (string | null)[]] = [[], []];
          let last = 0;
          const visitor: Visitor = {
            begin: (place, kind) => {
              if (place.length < 2 && kind !== 'text') return 'enter';
              return kind === 'text' ? 'stream' : kind === 'object' ? 'digest' : 'skip';
            },
            part: (part, isLast) => {
              parts.push(Buffer.from(part));
              last += Number(isLast);
            },
            end: (_place, digest) => void digests.push(digest),
          };
          read(bytes, visitor, cuts);
          return { text: Buffer.concat(parts).toString(), last, digests };
        };
        const whole = of([]);
        expect(whole).toMatchObject({
          text: JSON.stringify(value).slice(1, -1) + JSON.stringify(value).slice(1, -1),
          last: 2,
        });
        expect(of(cuts)).toEqual(whole);
      }),
    );
  });
});
