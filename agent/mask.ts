/** Values that must not be read in a log, taken out as it streams by: also where two pieces of it meet. */

const shortest = 6;
const longest = 64 * 1024;
const most = 2000;
const instead = '***';

export interface Masker {
  /** What can be shown by now. The end of it may be held back until the next piece shows what it is. */
  next: (piece: Buffer) => Buffer;
  /** What was held back. */
  end: () => Buffer;
}

/** Short values would take half of the log with them; they stay. */
export function masker(values: readonly string[]): Masker {
  const patterns = patternsOf(values);
  if (patterns.length === 0) return { next: piece => piece, end: () => Buffer.alloc(0) };
  const any = new RegExp(patterns.map(escaped).join('|'), 'g');
  const longestPattern = Math.max(...patterns.map(({ length }) => length));
  const firsts = new Set(patterns.map(pattern => pattern[0]));
  let held = '';
  return {
    next: piece => {
      const text = held + piece.toString('latin1');
      const shown = text.replaceAll(any, instead);
      const behind = lastMatchEnd(text, any);
      const from = beginningOfOne(text, Math.max(behind, text.length - longestPattern + 1), patterns, firsts);
      held = text.slice(from);
      // What is held back stands at the end of both, since no match reaches into it.
      return Buffer.from(held === '' ? shown : shown.slice(0, shown.length - held.length), 'latin1');
    },
    end: () => {
      const rest = Buffer.from(held, 'latin1');
      held = '';
      return rest;
    },
  };
}

/** As they are, as JSON writes them, and in base64; of several lines each one, since logs go line by line. */
function patternsOf(values: readonly string[]): string[] {
  const forms = values.flatMap(value => {
    const lines = value.split(/\r?\n/);
    const inJson = JSON.stringify(value).slice(1, -1);
    return [...(lines.length > 1 ? lines : [value]), inJson, Buffer.from(value).toString('base64')];
  });
  const bytes = forms.map(form => Buffer.from(form).toString('latin1'));
  const usable = bytes.filter(form => form.trim().length >= shortest && form.length <= longest);
  // The longest first: one may be the beginning of another.
  return [...new Set(usable)].sort((one, other) => other.length - one.length).slice(0, most);
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');

function lastMatchEnd(text: string, any: RegExp): number {
  let end = 0;
  for (const match of text.matchAll(any)) end = match.index + match[0].length;
  return end;
}

/** Where the rest of the text could be the beginning of a value; its end where it cannot. */
function beginningOfOne(
  text: string,
  from: number,
  patterns: readonly string[],
  firsts: ReadonlySet<string | undefined>,
): number {
  for (let at = from; at < text.length; at += 1) {
    if (firsts.has(text[at]) && patterns.some(pattern => pattern.startsWith(text.slice(at)))) return at;
  }
  return text.length;
}
