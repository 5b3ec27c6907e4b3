/** Small changes of SQL: half of what decides who sees what stands in statements, where no tool for JavaScript looks. */

/** What stands in a source from `start` to `end`, replaced. */
export interface Change {
  kind: string;
  start: number;
  end: number;
  text: string;
}

/** Of words and signs, each with what it is exchanged for. */
const exchanges: readonly [RegExp, string][] = [
  [/\band\b/g, 'or'],
  [/\bor\b/g, 'and'],
  [/\bnot exists\b/g, 'exists'],
  [/(?<!not )\bexists\b/g, 'not exists'],
  [/\bis null\b/g, 'is not null'],
  [/\bis not null\b/g, 'is null'],
  [/(?<![<>!:])=(?=\s)/g, '<>'],
  [/<>/g, '='],
  [/(?<=\s)<(?=\s)/g, '>='],
  [/(?<=\s)>(?=\s)/g, '<='],
  [/\bbit_or\b/g, 'bit_and'],
  [/\btrue\b/g, 'false'],
  [/\bfalse\b/g, 'true'],
];

/** `and` of these does not join conditions. */
const between = /\bbetween\s+\S+\s+$/;

/** Behind `set`, a sign gives a value and compares nothing. */
const assigns = (before: string) => before.match(/\b(set|where|on|and|or|when)\b/g)?.at(-1) === 'set';

interface Quasi {
  quasis: readonly { start: number; end: number }[];
  start: number;
  end: number;
}

/** @param template what stands between the backticks, with the expressions in it left alone */
export function changesOfSql(template: Quasi, source: string): Change[] {
  const found: Change[] = [];
  for (const { start, end } of template.quasis) {
    const text = source.slice(start, end);
    for (const [pattern, other] of exchanges)
      for (const match of text.matchAll(pattern)) {
        const before = text.slice(0, match.index);
        if (match[0] === 'and' ? between.test(before) : match[0] === '=' && assigns(before)) continue;
        const at = start + match.index;
        found.push({ kind: 'sql', start: at, end: at + match[0].length, text: other });
      }
  }
  return [...found, ...conditionsLeftOut(template, source)];
}

/** A condition that has a line to itself, left out with the word that joins it. */
function conditionsLeftOut({ start, end }: Quasi, source: string): Change[] {
  const text = source.slice(start, end);
  const lines = text.matchAll(/(?<=\n\s*)(and|or) [^\n]*/g);
  return [...lines]
    .filter(([line]) => isWhole(line))
    .map(({ 0: line, index }) => ({
      kind: 'sql condition',
      start: start + index,
      end: start + index + line.length,
      text: '',
    }));
}

const isWhole = (line: string) =>
  [/[({]/g, /[)}]/g].map(pattern => line.match(pattern)?.length ?? 0).every((count, _, [first]) => count === first) &&
  !line.includes('`');
