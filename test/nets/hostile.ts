/** One thing that no honest client sends, in a request that is sound otherwise: only that place can be at fault. */
import type { Draws } from '../../src/commands/seed/draws.ts';
import { fittingValue, type Known, type Schema } from './schema-values.ts';

/** What takes the place of a value in a body: itself, nothing at all, or JSON as it is written. */
type Planted = { value: unknown } | { raw: string } | 'nothing';

const deep = (open: string, inner: string, close: string, levels: number) =>
  open.repeat(levels) + inner + close.repeat(levels);

/** Moments that some calendar, some language or PostgreSQL does not know, or knows by another name. */
const moments = [
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00Z',
  '1899-12-31T23:59:59Z',
  '10000-01-01T00:00:00Z',
  '+275760-09-13T00:00:00.000Z',
  '294277-01-01T00:00:00Z',
  '-000001-01-01T00:00:00Z',
  '9999-12-31T23:59:59-23:59',
  '0000-01-01T00:00:00+23:59',
  '2026-02-30T00:00:00Z',
  '2026-11-22T24:00:00Z',
  '2026-11-22T23:59:60Z',
  '2026-11-22T11:00:00+99:99',
  '2026-11-22 11:00:00',
  '2026-11-22T11:00:00.1234567890123Z',
  '9999-12-31',
  '0000-01-01',
  'infinity',
  'now',
];

const texts = [
  '',
  ' ',
  '\t\r\n',
  'a\u0000b',
  '\ud800',
  'a\udfffb',
  '\u0085\u2028\u202e\uffff',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'NaN',
  'Infinity',
  '-Infinity',
  '1e999',
  'true',
  'null',
  'undefined',
  '%00',
  '%2F..%2F',
  '..',
  '../../etc/passwd',
  '-upload-pack=touch',
  '--',
  '*',
  '%',
  '_',
  '\\',
  "'",
  '"',
  '$1',
  '$x',
  '{reason}',
  ',',
  '<script>alert(1)</script>',
  '((((a+)+)+)+)$',
  '(?<',
  '[[',
  '\\p{',
  'a{1000}{1000}',
  'http://[::1',
  'http://127.0.0.1:1/',
  'https://user:secret@example.com/',
  'file:///etc/passwd',
  'ext::sh -c x',
  'javascript:alert(1)',
  'a@b',
  'x'.repeat(256),
  'x'.repeat(5000),
  'ö'.repeat(70_000),
  'x'.repeat(300_000),
  'x'.repeat(1_000_000),
  '💥'.repeat(64),
  ...moments,
];

const anyJson: Planted[] = [
  'nothing',
  { value: null },
  ...texts.map(value => ({ value })),
  ...[true, false, 0, -1, 1.5, 2 ** 31, 2 ** 32, 2 ** 53, 2 ** 63, -(2 ** 63), 1e21, 1e308, 5e-324].map(value => ({
    value,
  })),
  ...['-0', '1e400', '-1e400', '9007199254740993', '9'.repeat(400), '0.1e-400'].map(raw => ({ raw })),
  { value: [] },
  { value: {} },
  { value: [null] },
  { value: [[]] },
  { value: [{}] },
  { value: [''] },
  { value: [0] },
  { value: { data: null } },
  { value: { data: [] } },
  { value: { data: {} } },
  { value: { '': '' } },
  { value: Array.from({ length: 1001 }, () => 'x') },
  { raw: '{"__proto__":{"id":"x","type":"y"}}' },
  { raw: '{"constructor":{"prototype":{"x":1}},"toString":1,"toJSON":1}' },
  { raw: '{"a":1,"a":2}' },
  { raw: deep('[', '', ']', 100) },
  { raw: deep('{"a":', '1', '}', 100) },
  { raw: deep('[', '', ']', 5000) },
];

/** Made of what stands there: the same twice, an id that is nearly one. */
function near(value: unknown, draws: Draws): Planted[] {
  if (Array.isArray(value) && value.length > 0) {
    const copies = (count: number) => ({ value: Array.from({ length: count }, () => value[0]) });
    return [copies(2), copies(100), { value: [...value, null] }, { value: { ...value } }, { value: value[0] }];
  }
  if (typeof value === 'object' && value !== null) return [{ value: [value] }, { value: JSON.stringify(value) }];
  if (typeof value === 'number') return [{ value: String(value) }, { value: [value] }, { value: value + 0.5 }];
  if (typeof value !== 'string' || value === '') return [];
  const others = ['ws', 'team', 'prj', 'user', 'run', 'org', 'x'];
  return [
    value.toUpperCase(),
    value.toLowerCase(),
    ` ${value} `,
    `${value}\n`,
    `${value}\u0000`,
    `${value}/..`,
    `${value}%00`,
    `${value},${value}`,
    value.slice(0, -1),
    value.replace(/^[a-z]+-/, `${draws.pick(others)}-`),
    encodeURIComponent(value).replace(/./, letter => `%${letter.charCodeAt(0).toString(16)}`),
  ].map(one => ({ value: one }));
}

interface BodyPlace {
  path: readonly (string | number)[];
}

/** Every member that the schema knows, the body itself first. */
export function placesOf(schema: Schema, path: readonly (string | number)[] = []): BodyPlace[] {
  const places: BodyPlace[] = [{ path }];
  for (const [name, member] of Object.entries(propertiesOf(schema))) places.push(...placesOf(member, [...path, name]));
  if (schema.items) places.push(...placesOf(schema.items, [...path, 0]));
  return places;
}

function propertiesOf(schema: Schema): Record<string, Schema> {
  const choices = schema.anyOf ?? schema.oneOf ?? [];
  return Object.assign({}, schema.properties, ...choices.map(propertiesOf));
}

function memberOf(schema: Schema, name: string | number): Schema {
  if (typeof name === 'string') return propertiesOf(schema)[name] ?? {};
  return schema.items ?? (schema.anyOf ?? schema.oneOf ?? []).find(one => one.items)?.items ?? {};
}

/** A body as JSON text in which one place holds what does not belong there, and nothing stands that need not. */
export function hostileBody(schema: Schema, draws: Draws, known: Known): string | Buffer {
  const never = { ...draws, chance: () => false };
  const whole: { body?: unknown } = { body: fittingValue(schema, never, known) };
  if (draws.chance(0.1)) return spoiltText(JSON.stringify(whole.body), draws);
  const { path } = draws.pick(placesOf(schema));
  // biome-ignore lint/suspicious/noExplicitAny: a body of whatever shape.
  let holder: any = whole;
  let name: string | number = 'body';
  let at: Schema = schema;
  const walked: string[] = [];
  for (const next of path) {
    at = memberOf(at, next);
    const isHolder = typeof holder[name] === 'object' && holder[name] !== null;
    if (!isHolder) holder[name] = typeof next === 'number' ? [] : {};
    holder = holder[name];
    name = next;
    if (typeof next === 'string') walked.push(next);
    holder[name] ??= known(walked, {}) ?? fittingValue(at, never, known, walked);
  }
  const planted = draws.pick(draws.chance(0.2) ? [...near(holder[name], draws), ...anyJson] : anyJson);
  const chosen = draws.chance(0.25) ? draws.pick([...near(holder[name], draws), planted]) : planted;
  if (chosen === 'nothing') delete holder[name];
  else holder[name] = 'raw' in chosen ? placeholder : chosen.value;
  const text = JSON.stringify(whole.body) ?? '';
  return typeof chosen === 'object' && 'raw' in chosen ? text.replace(JSON.stringify(placeholder), chosen.raw) : text;
}

const placeholder = '\ufdd0raw';

/** What is wrong with the text, and not with what it says. */
function spoiltText(text: string, draws: Draws): string | Buffer {
  return draws.pick([
    '',
    ' ',
    'null',
    '0',
    '"x"',
    '[]',
    '{}',
    '{"data":[]}',
    '{"data":null}',
    '{"data":{}}',
    '{"errors":[]}',
    `\ufeff${text}`,
    ` \n${text}\n `,
    `${text},`,
    `${text}${text}`,
    text.slice(0, -1),
    text.replace(/^\{/, '{"data":null,'),
    text.replace(/\}$/, ',"data":null}'),
    text.replace(/\}$/, ',"data":{"type":"x","id":"y"}}'),
    text.replace(/\}$/, ',"__proto__":{"data":1}}'),
    text.replaceAll('"', "'"),
    Buffer.from(text, 'utf16le'),
    Buffer.concat([Buffer.from(text.slice(0, -1)), Buffer.from([0xff, 0xfe, 0x7d])]),
    Buffer.concat([Buffer.from('{"data":"'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"}')]),
    deep('[', '', ']', 30_000),
    deep('{"data":', '1', '}', 30_000),
    `[${'0,'.repeat(30_000)}0]`,
    `{${Array.from({ length: 20_001 }, (_none, index) => `"${index}":0`).join(',')}}`,
  ]);
}

/** As it stands in an address. */
const escaped = [
  '%00',
  'a%00b',
  '%2F',
  '%2f..%2f',
  '..',
  '%2e%2e',
  '.',
  '%',
  '%zz',
  '%C0%AF',
  '%FF',
  '%ED%A0%80',
  '%0A',
  '%0D%0Ax:y',
  '+',
  '%20',
  '%25',
  '%2500',
  ';',
  ':x',
  '*',
  "'",
  '"',
  '__proto__',
  'constructor',
  'null',
  'undefined',
  '-1',
  '0',
  'x'.repeat(5000),
  '%F0%9F%92%A5',
  '%E2%80%AE',
  '%EF%BC%A1',
];

/** A segment of a path that names nothing, or not quite what is there. */
export function hostileSegment(value: string, draws: Draws): string {
  const nearly = near(value, draws).map(one => encodeURIComponent((one as { value: string }).value.toWellFormed()));
  return draws.pick(draws.chance(0.4) ? [...nearly, ''] : escaped);
}

const numbers = ['0', '-1', '1.5', '1e3', '0x10', '٣', '2147483647', '2147483648', '9007199254740993', '9'.repeat(20)];
const queryTexts = ['', '%20', 'NaN', ',', ',,,', 'a,'.repeat(1000), 'x'.repeat(60_000), ...numbers, ...escaped];

/** One parameter that says what it should not, says it too often, or has a name that is nearly its own. */
export function hostileQuery(names: readonly string[], draws: Draws): string {
  const others = [
    'include',
    'sort',
    'page[number]',
    'page[size]',
    'fields[workspaces]',
    'filter[name]',
    'q',
    'access_token',
  ];
  const name = encodeURIComponent(names.length > 0 && draws.chance(0.8) ? draws.pick(names) : draws.pick(others));
  const value = draws.chance(0.3) ? encodeURIComponent(draws.pick(moments)) : draws.pick(queryTexts);
  const member = `${name}=${value}`;
  return draws.pick([
    member,
    member,
    member,
    member,
    member,
    `${member}&${member}`,
    `${member}&${name}=x`,
    `${member}&`.repeat(199).slice(0, -1).slice(0, 65_000),
    `${name}=x&`.repeat(1000),
    `${name}%5B%5D=${value}`,
    `${name}%5B0%5D=${value}`,
    `${name}%5B__proto__%5D=${value}`,
    `${name.toUpperCase()}=${value}`,
    name,
    `${name}==`,
    `${name}&=&&=x`,
    `fields%5B%5D=${value}&fields%5B__proto__%5D=x`,
    `include=${'a.'.repeat(500)}a`,
    `__proto__=${value}&constructor=x&toString=y`,
    `%ED%A0%80=1`,
    `%00=1`,
    `?${member}#x`,
  ]);
}

const tags = [
  '*',
  '""',
  'x',
  '"x"',
  'W/"x"',
  '"',
  ',',
  '*, *',
  '" "',
  '"a", "b"',
  `${'"x",'.repeat(5000)}"y"`,
  '\u00ff',
];
const headerValues: Record<string, readonly string[]> = {
  'content-type': [
    '',
    'application/json',
    'application/vnd.api+json; charset=utf-16',
    'application/vnd.api+json; ext="https://example.com"',
    'APPLICATION/VND.API+JSON',
    'application/vnd.api+json, text/html',
    'multipart/form-data; boundary=x',
    ';;;=',
    'application/vnd.api+json;'.repeat(500),
  ],
  accept: ['', '*/*', 'text/html', 'application/vnd.api+json;q=0', ';', 'a/b,'.repeat(3000)],
  'if-match': tags,
  'if-none-match': tags,
  'if-modified-since': ['x', '0'],
  authorization: [
    '',
    'Bearer',
    'Bearer ',
    'Basic Og==',
    'Bearer a b',
    `Bearer ${'x'.repeat(20_000)}`,
    'bearer \u00ff',
    'Digest x',
  ],
  cookie: [
    'terrane-session=',
    'terrane-session=%00',
    'terrane-session=x; terrane-session=y',
    ';=;',
    `${'a=b;'.repeat(5000)}`,
  ],
  'content-encoding': ['gzip', 'identity', 'x'],
  'content-length': ['1', '0'],
  'accept-encoding': ['identity;q=0, *;q=0', 'x'],
  range: ['bytes=0-', 'bytes=-1', 'bytes=5-1', 'x'],
  origin: ['null', 'http://evil.example', '//'],
  'sec-fetch-site': ['cross-site', 'x'],
  'x-forwarded-for': ['1.2.3.4', "'; x", ','],
  'x-forwarded-host': ['evil.example'],
  'x-http-method-override': ['DELETE'],
  traceparent: ['00-x', '00-00000000000000000000000000000000-0000000000000000-00', 'ff-'],
  'terraform-version': ['', 'x'.repeat(3000), '-1'],
  'x-terraform-integration': ['cloud', '__proto__'],
  'user-agent': ['', '\u00ff'.repeat(2000)],
  'last-event-id': ['x', '-1', '9'.repeat(40)],
  prefer: ['wait=999', 'x'],
};

export function hostileHeaders(draws: Draws): Record<string, string> {
  const name = draws.pick(Object.keys(headerValues));
  return { [name]: draws.pick(headerValues[name]!) };
}
