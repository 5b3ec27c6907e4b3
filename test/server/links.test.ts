// Every document of an organization that has everything, and every link in it: none leads nowhere.
import { beforeAll, expect, test } from 'vitest';
import { endpoints } from '../../src/http/endpoints.ts';
import { type Document, useApp } from '../app.ts';
import { type Person, person } from '../builders/records.ts';
import { addressesIn, queriesIn } from '../cast/addresses.ts';
import { type RichOrganization, richOrganization } from '../cast/rich-organization.ts';
import { withEach } from '../running/at-once.ts';

const app = useApp();
let rich: RichOrganization;
let administrator: Person;

beforeAll(async () => {
  rich = await richOrganization(app);
  administrator = await person(app, { isAdmin: true });
});

/** Links that answer 404, by address with ids as `:id`, and why. The list only shrinks. */
const leadNowhere: Record<string, string> = {};

/** Operations that answer 200 to no request below, and why. */
const notReached: Record<string, string> = {
  'applies.show-errored-state': 'only an apply whose state could not be saved has one',
  'sessions.show-own': 'whoever asks here shows a token',
  'sign-in-providers.show': "a provider is the installation's, not an organization's",
};

/** Of ids, in a random order: enough that the few that belong together are among them. */
const combinationLimit = 64;

/** What was requested and what it answered, by path. */
const answers = new Map<string, number>();
/** Links found: the first document that bears each, and whose token showed it. */
const links = new Map<string, { bearer: string; token: string }>();

test('§1 no link of any document leads nowhere', { timeout: 120_000 }, async () => {
  const reached = await walkOperations();
  // Those that are found on the way are followed as well.
  for (let followed = 0; followed < links.size; ) {
    const found = [...links].slice(followed);
    followed += found.length;
    await withEach(found, async ([address, { bearer, token }]) => {
      const path = pathOf(address);
      if (path && !answers.has(path)) await visit(path, bearer, token);
    });
  }
  expect(links.size).toBeGreaterThan(100);
  const broken = [...links]
    .map(([address, { bearer }]) => ({ address, bearer, status: answers.get(pathOf(address) ?? '') ?? 0 }))
    .filter(({ status }) => status === 404 || status >= 500);
  const unexpected = broken.filter(({ address }) => !leadNowhere[formOf(address)]);
  expect(unexpected.map(({ address, bearer, status }) => `${bearer} → ${formOf(address)}: ${status}`).sort()).toEqual(
    [],
  );
  const forms = new Set(broken.map(({ address }) => formOf(address)));
  expect(Object.keys(leadNowhere).filter(form => !forms.has(form))).toEqual([]);

  const operations = endpoints
    .filter(({ method, signed }) => method === 'GET' && !signed)
    .map(({ operation }) => operation);
  expect(operations.filter(name => !reached.has(name) && !notReached[name])).toEqual([]);
  expect(Object.keys(notReached).filter(name => reached.has(name))).toEqual([]);
});

/** Requests every list and every record, and gathers their links. Returns the operations that answered. */
async function walkOperations(): Promise<Set<string>> {
  const addressesOf = await addressesIn(app, rich);
  const queries = queriesIn(rich);
  const reached = new Set<string>();
  for (const { operation, method, paths, include, signed } of endpoints) {
    if (method !== 'GET' || signed) continue;
    const addresses = paths.flatMap(path => addressesOf(path).slice(0, combinationLimit));
    await withEach(addresses, async address => {
      const statuses: number[] = [];
      for (const query of ['', 'page[size]=1', ...(include ? [`include=${include.join(',')}`] : [])]) {
        const whole = [queries[operation], query].filter(Boolean).join('&');
        statuses.push(await visit(`/api/v2${address}${whole && `?${whole}`}`, operation));
      }
      if (statuses.every(status => status < 400)) reached.add(operation);
    });
  }
  return reached;
}

async function visit(path: string, bearer: string, token = tokenFor(path)): Promise<number> {
  const known = answers.get(path);
  if (known !== undefined) return known;
  const answer = await app.get(path, token);
  answers.set(path, answer.status);
  const { document } = answer;
  if (answer.status !== 200 || typeof document !== 'object') return answer.status;
  gather(document.links, `${bearer}, page`, token);
  for (const one of [document.data, document.included].flat()) if (one?.type) gatherFrom(one, token);
  return answer.status;
}

const tokenFor = (path: string) => (path.startsWith('/api/v2/admin/') ? administrator : rich.owner).token;

function gatherFrom(one: Document, token: string): void {
  gather(one.links, one.type, token);
  for (const [name, related] of Object.entries<Document>(one.relationships ?? {})) {
    gather(related.links, `${one.type}, ${name}`, token);
  }
  // Addresses of content, which bear their own proof of who may read.
  const contents = Object.entries(one.attributes ?? {}).filter(([name]) => /(download|read)-url$/.test(name));
  gather(Object.fromEntries(contents), `${one.type}, attributes`, token);
}

function gather(found: Record<string, unknown> | undefined, bearer: string, token: string): void {
  for (const [name, address] of Object.entries(found ?? {})) {
    // The page of the web interface comes with the web interface.
    if (name === 'self-html' || typeof address !== 'string') continue;
    if (!links.has(address)) links.set(address, { bearer: `${bearer}, ${name}`, token });
  }
}

/** The path on this server; undefined for an address elsewhere. */
function pathOf(address: string): string | undefined {
  const url = new URL(address, 'http://terrane.invalid');
  const isOurs = address.startsWith('/') || url.hostname === '127.0.0.1' || url.hostname === 'localhost';
  return isOurs ? `${url.pathname}${url.search}` : undefined;
}

function formOf(address: string): string {
  const path = pathOf(address) ?? address;
  return path
    .split('?', 1)[0]!
    .replaceAll(/\/[a-z]+-[A-Za-z0-9]{16}(?=\/|$)/g, '/:id')
    .replace(/\/organizations\/[^/]+/, '/organizations/:name')
    .replace(/\/workspaces\/(?!:id)[^/]+$/, '/workspaces/:name');
}
