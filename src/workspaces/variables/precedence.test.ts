import { describe, expect, test } from 'vitest';
import { type Candidate, type Origin, prevailing } from './precedence.ts';

const set = (given: Partial<Origin> = {}): Origin => ({
  name: 'a set',
  global: false,
  priority: false,
  isOfProject: false,
  namesWorkspace: true,
  namesProject: false,
  ...given,
});
const wide = { namesWorkspace: false, namesProject: true };

/** From the strongest; null is the workspace itself. */
const ranking: [string, Origin | null][] = [
  ['a priority set that is global', set({ priority: true, global: true, namesWorkspace: false })],
  ["the organization's priority set on the project", set({ priority: true, ...wide })],
  ["the project's priority set on the project", set({ priority: true, isOfProject: true, ...wide })],
  ["the organization's priority set on the workspace", set({ priority: true })],
  ["the project's priority set on the workspace", set({ priority: true, isOfProject: true })],
  ['the workspace', null],
  ["the project's set on the workspace", set({ isOfProject: true })],
  ["the organization's set on the workspace", set()],
  ["the project's set on the project", set({ isOfProject: true, ...wide })],
  ["the organization's set on the project", set(wide)],
  ['a global set', set({ global: true, namesWorkspace: false })],
];

const variable = (from: string) => ({ key: 'region', category: 'terraform', from });
const winner = (...candidates: Candidate<ReturnType<typeof variable>>[]) =>
  prevailing(candidates).map(({ from }) => from);

describe('§2.2 of two variables of one key', () => {
  const pairs = ranking.flatMap((stronger, place) =>
    ranking.slice(place + 1).map(weaker => [stronger[0], weaker[0], stronger[1], weaker[1]] as const),
  );
  test.each(pairs)('%s prevails over %s, in whatever order they come', (one, other, strong, weak) => {
    const [first, second] = [
      { variable: variable(one), origin: strong },
      { variable: variable(other), origin: weak },
    ];
    expect(winner(first, second)).toEqual([one]);
    expect(winner(second, first)).toEqual([one]);
  });

  test('of sets alike the name that comes first by code points prevails', () => {
    const names = ['A_Set', 'B_Set', 'a_set', '\uffee', '\u{1f600}'];
    const candidates = names.map(name => ({ variable: variable(name), origin: set({ name }) }));
    for (let place = 0; place < names.length - 1; place += 1) {
      expect(winner(...candidates.slice(place).reverse())).toEqual([names[place]]);
    }
  });

  test('a set that names the workspace and its project counts where it is stronger', () => {
    const both = { namesWorkspace: true, namesProject: true };
    const one = { variable: variable('both'), origin: set({ name: 'z', ...both }) };
    expect(winner(one, { variable: variable('project'), origin: set({ isOfProject: true, ...wide }) })).toEqual([
      'both',
    ]);
    const priority = { variable: variable('both'), origin: set({ name: 'z', priority: true, ...both }) };
    const onWorkspace = { variable: variable('workspace'), origin: set({ priority: true }) };
    expect(winner(priority, onWorkspace)).toEqual(['both']);
  });

  test('the same key in another category is another variable', () => {
    const other = { ...variable('env'), category: 'env' };
    expect(winner({ variable: variable('own'), origin: null }, { variable: other, origin: set() })).toEqual([
      'own',
      'env',
    ]);
  });
});
