/** S5: small changes of a source, each of which should make a test fail: a rule turned round, a condition left out, another power asked for. */
import { parseAst } from 'vitest/node';
import { type Change, changesOfSql } from './sql.ts';

export interface Mutant extends Change {
  /** From the root of the repository. */
  file: string;
  line: number;
  before: string;
  /** The innermost function that it is in, as `reporting` numbers them; null where it is in none. */
  place: string | null;
}

// biome-ignore lint/suspicious/noExplicitAny: nodes of a syntax tree, of which each kind has members of its own.
type Node = any;

interface Place {
  source: string;
  /** From the nearest to the program. */
  above: readonly Node[];
  /** By what they are read from: which powers the file names. */
  names: ReadonlyMap<string, readonly string[]>;
}

export function mutantsOf(file: string, source: string): Mutant[] {
  const program = parseAst(source, { lang: 'ts' });
  const names = namesIn(program, source);
  const found: Change[] = [];
  visit(program, [], (node, above) => found.push(...changesOf(node, { source, above, names })));
  const bodies = bodiesIn(program);
  return found.map(change => ({
    ...change,
    file,
    line: source.slice(0, change.start).split('\n').length,
    before: source.slice(change.start, change.end),
    // One that begins behind another's beginning, and is not over yet, is within it.
    place: placeOf(
      file,
      bodies.findLastIndex(({ start, end }) => start <= change.start && change.end <= end),
    ),
  }));
}

const placeOf = (file: string, index: number): string | null => (index < 0 ? null : `${file} ${index}`);

/** What functions do, in the order in which they begin. */
function bodiesIn(program: Node): Node[] {
  const bodies: Node[] = [];
  visit(program, [], ({ type, body }) => {
    if (/Function/.test(type) && body) bodies.push(body);
  });
  return bodies.sort((one, other) => one.start - other.start);
}

/** The source, in which every function says that it was called. */
export function reporting(file: string, source: string): string {
  const inserted = bodiesIn(parseAst(source, { lang: 'ts' })).flatMap(({ type, start, end }, index) => {
    const report = `mutantReached('${placeOf(file, index)}')`;
    if (type === 'BlockStatement') return [{ at: start + 1, text: `${report};` }];
    return [
      { at: start, text: `(${report}, ` },
      { at: end, text: ')' },
    ];
  });
  inserted.sort((one, other) => other.at - one.at);
  return inserted.reduce((text, one) => text.slice(0, one.at) + one.text + text.slice(one.at), source);
}

export const changed = (source: string, { start, end, text }: Change): string =>
  source.slice(0, start) + text + source.slice(end);

/** How a mutant is told to people, in one line. */
export function told({ file, line, kind, before, text }: Mutant): string {
  const short = (some: string) => some.replaceAll(/\s+/g, ' ').trim().slice(0, 80) || 'nothing';
  return `${file}:${line} ${kind}: ${short(before)} → ${short(text)}`;
}

/** Every node that is there when the program runs: types are not. */
function visit(node: Node, above: readonly Node[], see: (node: Node, above: readonly Node[]) => void): void {
  if (typeof node?.type !== 'string' || isOfTypes(node)) return;
  see(node, above);
  for (const [name, member] of Object.entries(node)) {
    if (name === 'typeAnnotation' || name === 'typeArguments' || name === 'returnType') continue;
    for (const one of Array.isArray(member) ? member : [member]) visit(one, [node, ...above], see);
  }
}

const carriers = new Set(['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression']);
const isOfTypes = ({ type }: Node) => type.startsWith('Import') || (type.startsWith('TS') && !carriers.has(type));

const swaps: Readonly<Record<string, readonly string[]>> = {
  '===': ['!=='],
  '!==': ['==='],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '&&': ['||'],
  '||': ['&&'],
  '??': ['&&'],
  '&': ['|'],
  '|': ['&'],
  '-': ['+'],
};
const methods: ReadonlyMap<string, string> = new Map([
  ['some', 'every'],
  ['every', 'some'],
  ['startsWith', 'endsWith'],
  ['max', 'min'],
  ['min', 'max'],
]);

const swapped = (left: Node, right: Node, source: string, texts: readonly string[]): Change[] => {
  const between = source.slice(left.end, right.start);
  const operator = /[^\s()]+/.exec(between)!;
  const start = left.end + operator.index;
  return texts.map(text => ({ kind: 'operator', start, end: start + operator[0].length, text }));
};

const instead = (kind: string, { start, end }: Node, ...texts: string[]): Change[] =>
  texts.map(text => ({ kind, start, end, text }));

/** What may be changed at one node. */
const byType: Readonly<Record<string, (node: Node, place: Place) => Change[]>> = {
  BinaryExpression: ({ left, right, operator }, { source }) => swapped(left, right, source, swaps[operator] ?? []),
  LogicalExpression: ({ left, right, operator }, { source }) => swapped(left, right, source, swaps[operator] ?? []),
  IfStatement: ({ test }) => instead('condition', test, 'true', 'false'),
  ConditionalExpression: ({ test }) => instead('condition', test, 'true', 'false'),
  UnaryExpression: (node, { source }) =>
    ['!', '~'].includes(node.operator)
      ? instead('not', node, source.slice(node.argument.start, node.argument.end))
      : [],
  BlockStatement: (node, { above: [owner] }) =>
    node.body.length > 0 && owner.type !== 'TryStatement' ? instead('body', node, '{}') : [],
  ArrayExpression: ({ elements }, { source, above: [owner] }) =>
    // A pair that is read by its places is no list.
    owner.type === 'VariableDeclarator' && owner.id.type === 'ArrayPattern' ? [] : without('item', elements, source),
  Literal: (node, place) => {
    if (typeof node.value === 'boolean') return instead('boolean', node, String(!node.value));
    if (typeof node.value === 'number') return numberChanges(node, place);
    return typeof node.value === 'string' ? textChanges(node, place) : [];
  },
  MemberExpression: memberChanges,
  CallExpression: callChanges,
  TaggedTemplateExpression: ({ tag, quasi }, { source }) =>
    /\bsql$/.test(source.slice(tag.start, tag.end)) ? changesOfSql(quasi, source) : [],
};

const changesOf = (node: Node, place: Place): Change[] => byType[node.type]?.(node, place) ?? [];

/** Each of several left out, with the comma that follows or goes before. */
function without(kind: string, several: readonly Node[], source: string): Change[] {
  return several.map((one, at) => {
    const next = several[at + 1];
    const [start, end] = next ? [one.start, next.start] : [several[at - 1]?.end ?? one.start, one.end];
    return { kind, start, end, text: next ? '' : source.slice(one.end, end) };
  });
}

/** Limits stand in constants; other numbers are places and shapes. */
const numberChanges = (node: Node, { above: [owner] }: Place): Change[] =>
  owner.type === 'VariableDeclarator' ? instead('limit', node, `${node.value + 1}`) : [];

/** A word of a table in the place of its neighbour's. */
function textChanges(node: Node, { source, above: [owner, table] }: Place): Change[] {
  if (owner.type !== 'Property' || owner.value !== node || table.type !== 'ObjectExpression') return [];
  // What an endpoint is called, and what it says of itself, are no rules.
  if (table.properties.some(({ key }: Node) => ['section', 'operation'].includes(key?.name))) return [];
  const words: string[] = table.properties
    .filter(({ value }: Node) => typeof value?.value === 'string')
    .map(({ value }: Node) => source.slice(value.start, value.end));
  const others = [...new Set(words)];
  const own = source.slice(node.start, node.end);
  return others.length < 2 ? [] : instead('word', node, others[(others.indexOf(own) + 1) % others.length]!);
}

/** The names that are read from a set of powers, or given to one of its functions. */
function namesIn(program: Node, source: string): Map<string, string[]> {
  const names = new Map<string, string[]>();
  const note = (of: string, name: string) => {
    const known = names.get(of) ?? [];
    if (!known.includes(name)) names.set(of, [...known, name]);
  };
  visit(program, [], node => {
    const name = powerName(node);
    if (name) note(source.slice(node.object.start, node.object.end), name);
    for (const argument of powerArguments(node, source)) note(tableOf(node, source), argument.value);
  });
  return names;
}

/** `workspacePowers.bit.lock`, and `workspace.lock` where the policy calls the bits so. */
function powerName({ type, object, property, computed }: Node): string | null {
  if (type !== 'MemberExpression') return null;
  const isOfBits =
    object.property?.name === 'bit' || ['organization', 'workspace', 'project', 'bit'].includes(object.name);
  if (!isOfBits) return null;
  if (computed) return typeof property.value === 'string' ? property.value : null;
  return property.name;
}

/** `workspacePowers.has(powers, 'own')`, `of('read', 'lock')`. */
function powerArguments({ type, callee, arguments: given }: Node, source: string): Node[] {
  if (type !== 'CallExpression') return [];
  if (!/(^|\.)(has|of|without|follows|organizationAny)$/.test(source.slice(callee.start, callee.end))) return [];
  return given.filter(({ value }: Node) => typeof value === 'string');
}

const tableOf = ({ callee }: Node, source: string): string =>
  source.slice(callee.start, callee.end).replace(/\.\w+$/, '');

function memberChanges(node: Node, { source, names }: Place): Change[] {
  const name = powerName(node);
  if (!name) return [];
  const all = names.get(source.slice(node.object.start, node.object.end))!;
  if (all.length < 2) return [];
  const other = all[(all.indexOf(name) + 1) % all.length]!;
  return [{ kind: 'power', start: node.object.end, end: node.end, text: `['${other}']` }];
}

function callChanges(node: Node, { source, names }: Place): Change[] {
  const { callee } = node;
  const method = callee.type === 'MemberExpression' && !callee.computed ? callee.property : undefined;
  const found: Change[] = [];
  const other = methods.get(method?.name);
  if (other) found.push(...instead('method', method, other));
  if (method?.name === 'filter') found.push({ kind: 'method', start: callee.object.end, end: node.end, text: '' });
  const powers = powerArguments(node, source);
  if (powers.length === 1) {
    const all = names.get(tableOf(node, source))!;
    const other = all[(all.indexOf(powers[0].value) + 1) % all.length]!;
    if (all.length > 1) found.push(...instead('power', powers[0], `'${other}'`));
  } else found.push(...without('power', powers, source));
  return found;
}
