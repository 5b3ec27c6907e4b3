/** A real provider of SAML 2.0 on loopback, a process of its own by pysaml2 and xmlsec1, with people whom the test makes up. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createDirectory } from './database.ts';
import { type Keys, newKeys } from './saml-provider.ts';

/** What it says of somebody, and what of its answer is otherwise than usual. */
export interface Told {
  attributes: Record<string, string[]>;
  audience?: string;
  isUnsigned?: boolean;
  isAnswerSigned?: boolean;
  isTransient?: boolean;
  /** Algorithms, by their names in XML. */
  signature?: string;
  digest?: string;
  encryption?: string;
  wantsSignedRequest?: boolean;
}

export interface Pysaml {
  issuer: string;
  signInUrl: string;
  keys: Keys;
  /** What the site says of itself, which the provider reads before the first person comes. */
  learn: (metadata: string) => void;
  tell: (name: string, told: Told) => void;
  close: () => Promise<void>;
}

/** A Python that has pysaml2, where xmlsec1 is as well; undefined on machines without them. */
export const pysamlPython = ['python3', '/usr/bin/python3'].find(python => {
  try {
    execFileSync(python, ['-c', 'import saml2.sigver as s; s.get_xmlsec_binary()'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
});

if (!pysamlPython) console.log('No pysaml2 and xmlsec1 on this machine: sign-in by a real SAML provider is skipped');

/** `host` is the name of this machine by which browsers go there. */
export async function pysaml(host = '127.0.0.1'): Promise<Pysaml> {
  const folder = createDirectory();
  mkdirSync(folder, { recursive: true });
  const keys = newKeys();
  writeFileSync(join(folder, 'key.pem'), keys.key);
  writeFileSync(join(folder, 'certificate.pem'), keys.certificate);
  const people: Record<string, Told> = {};
  const script = join(import.meta.dirname, 'pysaml.py');
  const child = spawn(pysamlPython!, [script, folder, host], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<void>(done => child.once('close', () => done()));
  const first = await Promise.race([
    ended.then(() => ({ done: true as const, value: undefined })),
    createInterface(child.stdout)[Symbol.asyncIterator]().next(),
  ]);
  if (first.done) throw new Error('pysaml2 does not start.');
  const { issuer, signInUrl } = JSON.parse(first.value) as { issuer: string; signInUrl: string };
  return {
    ...{ issuer, signInUrl, keys },
    learn: metadata => writeFileSync(join(folder, 'site.xml'), metadata),
    tell: (name, told) => {
      people[name] = told;
      writeFileSync(join(folder, 'people.json'), JSON.stringify(people));
    },
    close: () => {
      child.kill('SIGKILL');
      return ended;
    },
  };
}
