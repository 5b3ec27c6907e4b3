/** Modules as functions that stay compiled: each run evaluates them anew, in a fiftieth of the time that it takes to load them. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compileFunction } from 'node:vm';
import { transformSync } from 'esbuild';

type Require = (specifier: string) => object;

export interface Compiled {
  evaluate: (module: { exports: object }, require: Require, url: string, directory: string) => void;
  /** What it imports, as it is written there. */
  imports: readonly string[];
}

/** What sees a change that leaves no program: it counts for no test. */
export const notCompiled = 'the compiler';

const onDisk = new Map<string, Compiled>();
const packages = new Map<string, object>();
const isOwn = (specifier: string) => specifier.startsWith('.');

/** Throws where the source is none. */
export function compile(path: string, source: string): Compiled {
  const { code } = transformSync(source, {
    sourcefile: path,
    loader: 'ts',
    format: 'cjs',
    target: 'node20',
    // What is imported late belongs to the same run.
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': 'url', 'import.meta.dirname': 'directory' },
  });
  const evaluate = compileFunction(code, ['module', 'require', 'url', 'directory'], { filename: path });
  const imports = [...code.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, specifier]) => specifier!);
  return { evaluate: evaluate as Compiled['evaluate'], imports: [...new Set(imports)] };
}

/** Compiles a file and all that it imports, and loads the packages that these need. */
export async function prepare(path: string): Promise<void> {
  const waiting = [path];
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    if (onDisk.has(one)) continue;
    const compiled = compile(one, readFileSync(one, 'utf8'));
    onDisk.set(one, compiled);
    for (const specifier of compiled.imports) {
      if (isOwn(specifier)) waiting.push(join(dirname(one), specifier));
      else packages.set(specifier, packages.get(specifier) ?? { ...(await import(specifier)), __esModule: true });
    }
  }
}

/** Loads a prepared file with modules of its own. `instead` has those that are other than on disk, by their paths. */
export function evaluate(path: string, instead: ReadonlyMap<string, Compiled>): void {
  const modules = new Map<string, { exports: object }>();
  const load = (one: string): object => {
    const known = modules.get(one);
    if (known) return known.exports;
    const module = { exports: {} };
    modules.set(one, module);
    const require = (specifier: string) =>
      isOwn(specifier) ? load(join(dirname(one), specifier)) : packages.get(specifier)!;
    (instead.get(one) ?? onDisk.get(one)!).evaluate(module, require, pathToFileURL(one).href, dirname(one));
    return module.exports;
  };
  load(path);
}
