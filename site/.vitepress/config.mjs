// The pages of docs/ as a site below /docs of a server: nothing on it comes from another host.
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';

const here = dirname(fileURLToPath(import.meta.url));
const docs = join(here, '../../docs');
// A copy, since pages outside of this package would not find its libraries.
const pages = join(here, '../node_modules/.pages');
const output = join(here, '../../dist/docs');

/** In the order in which somebody new would read them; what stands nowhere here comes last. */
const chapters = [
  {
    text: 'Begin',
    pages: { index: 'Start', tutorial: 'Ten minutes', 'command-line': 'The command line', web: 'The web interface' },
  },
  {
    text: 'How to',
    pages: {
      moving: 'Move an organization here',
      containers: 'Choose where to run it',
      people: 'People and how they sign in',
      'single-sign-on': 'Single sign-on',
      agents: 'Agents, also on Kubernetes',
      monitoring: 'See how it is',
      backup: 'Back up and restore',
      scaling: 'More cores, more machines',
      'as-code': 'Keep teams and workspaces as code',
    },
  },
  {
    text: 'Reference',
    pages: {
      operating: 'Operating',
      spec: 'The contract',
      choices: 'What we chose',
      clients: 'Clients',
      'security-of-runs': 'What a run can do',
      'agent-protocol': 'The protocol of agents',
      performance: 'Performance',
      reliability: 'Reliability',
    },
  },
  { text: 'Inside', pages: { architecture: 'Architecture', 'adding-an-endpoint': 'Adding an endpoint' } },
];

function sidebar() {
  const item = (text, page) => ({ text, link: page === 'index' ? '/' : `/${page}` });
  const known = chapters.flatMap(({ pages }) => Object.keys(pages));
  const exists = page => existsSync(join(docs, `${page}.md`));
  const listed = chapters.map(({ text, pages }) => ({
    text,
    items: Object.entries(pages).flatMap(([page, title]) => (exists(page) ? [item(title, page)] : [])),
  }));
  const others = readdirSync(docs).filter(name => name.endsWith('.md') && !known.includes(name.slice(0, -3)));
  const decisions = readdirSync(join(docs, 'decisions')).filter(name => name.endsWith('.md'));
  const inside = listed.at(-1);
  inside.items.push(...others.map(name => item(name.slice(0, -3), name.slice(0, -3))));
  const items = decisions.map(name => item(name.slice(0, -3).replaceAll('-', ' '), `decisions/${name.slice(0, -3)}`));
  inside.items.push({ text: 'Decisions', collapsed: true, items });
  return listed;
}

rmSync(pages, { recursive: true, force: true });
cpSync(docs, pages, { recursive: true });

export default defineConfig({
  title: 'Terrane',
  description: 'An open, self-hosted control plane for teams and workspaces.',
  srcDir: pages,
  outDir: output,
  base: '/docs/',
  cleanUrls: true,
  cacheDir: join(here, '../node_modules/.vitepress'),
  metaChunk: true,
  // What lies beside docs/ is not part of the site: those links lead into the repository, where they are read as files.
  ignoreDeadLinks: [/^(\.\/)*\.\.\//, /\.\.\//],
  markdown: { headers: { level: [2, 3] } },
  themeConfig: {
    nav: [{ text: 'API reference', link: '/api/index.html', target: '_self' }],
    sidebar: sidebar(),
    outline: [2, 3],
    search: { provider: 'local' },
    externalLinkIcon: true,
  },
  buildEnd: () => {
    const viewer = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
    const api = join(output, 'api');
    mkdirSync(api, { recursive: true });
    for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js']) copyFileSync(join(viewer, name), join(api, name));
    for (const name of ['index.html', 'reference.js']) copyFileSync(join(here, '../reference', name), join(api, name));
  },
});
