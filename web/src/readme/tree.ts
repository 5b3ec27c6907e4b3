/**
 * What stands in a README, as plain data: text, and what kind of text it is. HTML in it is left out, addresses that are not of the
 * web are no links, and pictures are the words that stand for them: nothing of it is ever put into the page as markup.
 */
import { Lexer, type Token, type Tokens } from 'marked';

export interface Mark {
  kind:
    | ('text' | 'strong' | 'emphasis' | 'deleted' | 'snippet' | 'break' | 'link')
    | ('paragraph' | 'heading' | 'list' | 'steps' | 'item' | 'quote' | 'code' | 'rule')
    | ('table' | 'row' | 'head' | 'cell');
  text?: string;
  /** Of a link. */
  to?: string;
  /** Of a heading: 1 to 6. Of an ordered list: its first number. */
  number?: number;
  of?: Mark[];
}

/** As many as a page shows quickly; what is beyond is read in the repository. */
const mostMarks = 5000;
/** What is nested deeper is shown as it is written. */
const mostLevels = 20;

/** Throws a RangeError of what is nested beyond all measure. */
export function treeOf(markdown: string): { marks: Mark[]; isCut: boolean } {
  const room = { marks: mostMarks, levels: mostLevels };
  const marks = marksOf(new Lexer({ gfm: true }).lex(markdown), room);
  return { marks, isCut: room.marks <= 0 };
}

interface Room {
  marks: number;
  levels: number;
}

function marksOf(tokens: readonly Token[] | undefined, room: Room): Mark[] {
  room.levels -= 1;
  const marks = (tokens ?? []).flatMap(token => {
    room.marks -= 1;
    if (room.marks <= 0) return [];
    return room.levels < 0 ? { kind: 'text' as const, text: token.raw } : (markOf(token, room) ?? []);
  });
  room.levels += 1;
  return marks;
}

function markOf(token: Token, room: Room): Mark | Mark[] | undefined {
  const of = () => marksOf((token as Tokens.Generic).tokens, room);
  switch (token.type) {
    case 'paragraph':
      return { kind: 'paragraph', of: of() };
    case 'heading':
      return { kind: 'heading', number: (token as Tokens.Heading).depth, of: of() };
    case 'list':
      return listOf(token as Tokens.List, room);
    case 'blockquote':
      return { kind: 'quote', of: of() };
    case 'code':
      return { kind: 'code', text: (token as Tokens.Code).text };
    case 'hr':
      return { kind: 'rule' };
    case 'table':
      return tableOf(token as Tokens.Table, room);
    case 'strong':
      return { kind: 'strong', of: of() };
    case 'em':
      return { kind: 'emphasis', of: of() };
    case 'del':
      return { kind: 'deleted', of: of() };
    case 'codespan':
      return { kind: 'snippet', text: (token as Tokens.Codespan).text };
    case 'br':
      return { kind: 'break' };
    case 'link':
      return linkOf((token as Tokens.Link).href, of());
    case 'image':
      return { kind: 'text', text: decoded((token as Tokens.Image).text) };
    case 'text':
    case 'escape':
      return (token as Tokens.Text).tokens ? of() : { kind: 'text', text: decoded((token as Tokens.Text).text) };
    default:
      return undefined;
  }
}

function listOf({ ordered, start, items }: Tokens.List, room: Room): Mark {
  const of = items.map((item): Mark => ({ kind: 'item', of: marksOf(item.tokens, room) }));
  return ordered ? { kind: 'steps', number: Number(start) || 1, of } : { kind: 'list', of };
}

function tableOf({ header, rows }: Tokens.Table, room: Room): Mark {
  const cells = (of: readonly Tokens.TableCell[], kind: 'cell' | 'head'): Mark => ({
    kind: 'row',
    of: of.map(cell => ({ kind, of: marksOf(cell.tokens, room) })),
  });
  return { kind: 'table', of: [cells(header, 'head'), ...rows.map(row => cells(row, 'cell'))] };
}

/** One that is relative names a file of the repository, which is not here. */
const linkOf = (to: string, of: Mark[]): Mark | Mark[] => (/^https?:\/\//i.test(to) ? { kind: 'link', to, of } : of);

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: '\u00a0' };

const decoded = (text: string) => text.replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => entities[name]!);
