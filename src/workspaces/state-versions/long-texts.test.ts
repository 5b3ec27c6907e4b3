import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromBase64, longTexts, NotBase64 } from './long-texts.ts';

const names = ['state', 'json-state'];

async function* inPieces(bytes: Buffer, cuts: readonly number[] = []): AsyncGenerator<Buffer> {
  const places = [0, ...cuts.map(cut => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  for (let index = 1; index < places.length; index += 1) {
    const piece = Buffer.from(bytes.subarray(places[index - 1], places[index]));
    yield piece;
    piece.fill(0x21);
  }
}

async function taken(body: string, cuts: readonly number[] = []) {
  const parts = longTexts({ pieces: inPieces(Buffer.from(body), cuts), declaredBytes: 0 }, names);
  const texts: Record<string, string> = {};
  for (;;) {
    const next = await parts.next();
    if (next.done) return { rest: next.value.toString(), texts };
    const { attribute, text, isLast } = next.value;
    texts[attribute] = `${texts[attribute] ?? ''}${text.toString('latin1')}${isLast ? '.' : ''}`;
  }
}

const decoded = async (parts: readonly string[]) => {
  const bytes: Buffer[] = [];
  const source = (async function* () {
    for (const part of parts) yield Buffer.from(part);
  })();
  for await (const piece of fromBase64(source)) bytes.push(piece);
  return Buffer.concat(bytes);
};

describe('long texts of a body', () => {
  test('are handed on, and what is left reads as before with an empty text in the place of each', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 200 });
    const cuts = fc.array(fc.nat(), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(text, text, fc.jsonValue({ maxDepth: 3 }), cuts, async (state, json, other, cuts) => {
        const body = (state: string, json: string) => ({
          state: 'elsewhere',
          data: { other, attributes: { serial: 1, state, 'json-state': json, md5: other }, state: 'here' },
        });
        const { rest, texts } = await taken(JSON.stringify(body(state, json), null, 1), cuts);
        expect(JSON.parse(rest)).toEqual(JSON.parse(JSON.stringify(body('', ''))));
        const escapes = (value: string) => `${Buffer.from(JSON.stringify(value).slice(1, -1)).toString('latin1')}.`;
        expect(texts).toEqual({ state: escapes(state), 'json-state': escapes(json) });
      }),
    );
  });

  test('are left where they are no texts, and refused where there are two', async () => {
    const body = '{"data":{"attributes":{"state":null,"json-state":{"state":"x"}}}}';
    expect(await taken(body)).toEqual({ rest: body, texts: {} });
    expect(await taken('')).toEqual({ rest: '', texts: {} });
    const twice = '{"data":{"attributes":{"state":"a","\\u0073tate":"b"}}}';
    await expect(taken(twice)).rejects.toThrow('malformed-request');
  });

  test('are all that may make a body long, deep or broken', async () => {
    const long = (attribute: string) => `{"data":{"attributes":{"${attribute}":"${'x'.repeat(3_000_000)}"}}}`;
    expect((await taken(long('state'))).rest.length).toBeLessThan(100);
    await expect(taken(long('stated'))).rejects.toThrow('body-too-large');
    await expect(taken(`{"data":${'['.repeat(100_000)}`)).rejects.toThrow('malformed-request');
    for (const broken of ['{', '{"data":{"attributes":{"state":"abc', '[]', '{"data":1}}'])
      await expect(taken(broken), broken).rejects.toThrow('malformed-json');
  });
});

describe('base64', () => {
  test('is decoded wherever its parts are cut, also in the middle of an escape', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 100 }), fc.array(fc.nat(), { maxLength: 6 }), async (array, cuts) => {
        const bytes = Buffer.from(array);
        const text = bytes.toString('base64').replaceAll('/', '\\/').replaceAll('+', '\\u002B');
        const places = [0, ...cuts.map(cut => cut % (text.length + 1)).sort((a, b) => a - b), text.length];
        const parts = places.slice(1).map((end, index) => text.slice(places[index], end));
        expect((await decoded(parts)).equals(bytes)).toBe(true);
      }),
    );
  });

  test('is told from what is none', async () => {
    for (const parts of [
      ['no base64!'],
      ['YQ==', 'YQ=='],
      ['Y'],
      ['YQ=a'],
      ['YQ\\'],
      ['\\u00'],
      ['YQ\\n'],
      ['\\x'],
      ['é'],
    ])
      await expect(decoded(parts), parts.join()).rejects.toThrow(NotBase64);
  });
});
