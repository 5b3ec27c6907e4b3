/** Lines of a log: escape codes of terminals become class names, never markup. */
export interface Part {
  text: string;
  /** Names of `log-…` classes. */
  styles: string[];
}

const colours = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];

/** Escape codes, and every other control character but the tab. Written by their numbers: nobody can read them in a source. */
const [esc, first, last] = [27, 0, 31].map(code => String.fromCharCode(code));
const codes = new RegExp(
  `${esc}\\[([0-9;?]*)([A-Za-z])|${esc}[()][A-Z0-9]|(?!\t)[${first}-${last}${String.fromCharCode(127)}]`,
  'g',
);

/** The parts of one line, and the styles that the next one begins with. */
export function partsOf(line: string, before: readonly string[] = []): { parts: Part[]; styles: string[] } {
  const parts: Part[] = [];
  let styles = [...before];
  let at = 0;
  for (const match of line.matchAll(codes)) {
    if (match.index > at) parts.push({ text: line.slice(at, match.index), styles });
    if (match[2] === 'm') styles = restyle(styles, match[1] ?? '');
    at = match.index + match[0].length;
  }
  if (at < line.length) parts.push({ text: line.slice(at), styles });
  return { parts, styles };
}

function restyle(before: readonly string[], given: string): string[] {
  let styles = [...before];
  for (const code of given.split(';').map(Number)) {
    if (code === 0) styles = [];
    else if (code === 1) styles.push('bold');
    else if (code === 4) styles.push('underlined');
    else if (code === 22) styles = styles.filter(style => style !== 'bold');
    else if (code === 39) styles = styles.filter(style => !colours.includes(style));
    else {
      const colour = colours[(code % 10) as number];
      const isColour = (code >= 30 && code <= 37) || (code >= 90 && code <= 97);
      if (isColour && colour) styles = [...styles.filter(style => !colours.includes(style)), colour];
    }
  }
  return [...new Set(styles)];
}

/** A carriage return begins the line anew, as terminals show it. */
export const linesOf = (text: string): string[] =>
  text.split('\n').map(line => line.replace(/\r$/, '').split('\r').at(-1) ?? '');

/** A log of structured output is one JSON object a line: its message is what people read. */
export function readable(line: string): string {
  if (!line.startsWith('{"@level"')) return line;
  try {
    const { '@message': message } = JSON.parse(line) as { '@message'?: unknown };
    return typeof message === 'string' ? message : line;
  } catch {
    return line;
  }
}
