/** Reads the assignments of a .tfvars file. A plain string becomes its value, anything else stays an expression. */
export interface Assignment {
  key: string;
  value: string;
  hcl: boolean;
}

export function parseTfvars(text: string): Assignment[] {
  const found: Assignment[] = [];
  const lines = text.split(/\r?\n/);
  let at = 0;
  const next = () => `\n${lines[++at]}`;
  for (; at < lines.length; at += 1) {
    const [, key, first] = /^\s*"?([A-Za-z_][\w-]*)"?\s*=\s*(.*)$/.exec(lines[at]!) ?? [];
    if (key === undefined || first === undefined) continue;
    let expression = first;
    const end = /^<<-?\s*(\w+)\s*$/.exec(first)?.[1];
    let isOpen = true;
    while (isOpen && at + 1 < lines.length) {
      isOpen = end === undefined ? depthOf(expression) > 0 : lines[at]!.trim() !== end;
      if (isOpen) expression += next();
    }
    found.push({ key, ...readValue(expression) });
  }
  return found;
}

function readValue(expression: string): Pick<Assignment, 'value' | 'hcl'> {
  const bare = withoutComment(expression).trim();
  // A string with a template in it means something only as an expression.
  if (!/^"(?:[^"\\]|\\.)*"$/.test(bare) || /\$\{|%\{/.test(bare)) return { value: bare, hcl: true };
  try {
    return { value: JSON.parse(bare) as string, hcl: false };
  } catch {
    return { value: bare, hcl: true };
  }
}

/** How many brackets are open at the end, strings and comments left aside. */
function depthOf(expression: string): number {
  const code = expression.replaceAll(/"(?:[^"\\]|\\.)*"/g, '').replaceAll(/(#|\/\/).*$/gm, '');
  const opened = code.match(/[[{(]/g)?.length ?? 0;
  return opened - (code.match(/[\]})]/g)?.length ?? 0);
}

function withoutComment(expression: string): string {
  if (expression.includes('\n')) return expression;
  return expression.replace(/^((?:"(?:[^"\\]|\\.)*"|[^"#/]|\/(?!\/))*)(#|\/\/).*$/, '$1');
}
