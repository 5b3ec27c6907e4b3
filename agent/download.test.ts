/** §4.2 Engines by version: only what its publisher has signed is taken, once, and whole. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as openpgp from 'openpgp';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { useApp } from '../test/app.ts';
import { organization, type TestOrganization } from '../test/builders/records.ts';
import { createDirectory } from '../test/running/database.ts';
import { type Mirror, startMirror } from '../test/running/mirror.ts';
import {
  agentOf,
  askForRun,
  comesTo,
  logOf,
  scriptedEngine,
  scriptedText,
  scriptedVersion,
} from '../test/running/scripted.ts';
import { type DownloadOptions, platform } from './download.ts';
import { findEngines } from './engines.ts';
import { type Engines, enginesOf } from './obtain.ts';
import { publishers } from './publishers.ts';

const app = useApp();
let acme: TestOrganization;
let mirror: Mirror;
let directory: string;
beforeAll(async () => {
  acme = await organization(app);
  mirror = await startMirror();
});
afterAll(() => mirror.close());
beforeEach(async () => {
  directory = createDirectory();
  mirror.asked.length = 0;
  await mirror.publish(scriptedVersion, scriptedText({}));
});

const engines = (more: Partial<DownloadOptions> = {}): Engines =>
  enginesOf([], { name: 'terraform', mirror: mirror.address, keys: mirror.key, directory, ...more });
const left = () => (existsSync(join(directory, 'terraform')) ? readdirSync(join(directory, 'terraform')) : []);
const sumsPath = `/${scriptedVersion}/terraform_${scriptedVersion}_SHA256SUMS`;
const archivePath = `/${scriptedVersion}/terraform_${scriptedVersion}_${platform()}.zip`;

test('§4.2 what many runs want at once is downloaded once, can be executed, and is found at the next start', async () => {
  const shared = engines();
  const found = await Promise.all(Array.from({ length: 8 }, () => shared.of(scriptedVersion)));
  expect(mirror.asked).toEqual([sumsPath, `${sumsPath}.72D7468F.sig`, archivePath]);
  expect(new Set(found.map(({ path }) => path))).toEqual(
    new Set([join(directory, 'terraform', scriptedVersion, 'terraform')]),
  );
  expect(execFileSync(found[0]!.path, ['version'], { encoding: 'utf8' })).toContain(scriptedVersion);
  expect(left()).toEqual([scriptedVersion]);
  expect(await findEngines('', [directory])).toEqual([found[0]]);
});

test('§4.2 two agents that share a directory do not disturb each other', async () => {
  const found = await Promise.all([engines().of(scriptedVersion), engines().of(scriptedVersion)]);
  expect(found[0]).toEqual(found[1]);
  expect(left()).toEqual([scriptedVersion]);
});

test('§4.2 checksums that somebody else signed, or that were changed, are refused, and nothing is left', async () => {
  await expect(engines({ keys: undefined }).of(scriptedVersion)).rejects.toThrow('not signed by the publisher');
  mirror.files.set(sumsPath, Buffer.concat([mirror.files.get(sumsPath)!, Buffer.from('\n')]));
  await expect(engines().of(scriptedVersion)).rejects.toThrow('not signed by the publisher');
  expect([left(), mirror.asked.includes(archivePath)]).toEqual([[], false]);
});

test('§4.2 an archive that is not what was signed is refused, and the next attempt may succeed', async () => {
  const honest = mirror.files.get(archivePath)!;
  const other = Buffer.from(honest);
  other[100]! ^= 1;
  mirror.files.set(archivePath, other);
  const shared = engines();
  await expect(shared.of(scriptedVersion)).rejects.toThrow('is not what its checksum says');
  expect(left()).toEqual([]);
  mirror.files.set(archivePath, honest);
  expect((await shared.of(scriptedVersion)).version).toBe(scriptedVersion);
});

test.each([
  ['checksums', sumsPath],
  ['archive', archivePath],
])('§4.2 %s that break off are an error at once, and the next attempt may succeed', async (_what, path) => {
  mirror.cut.add(path);
  const shared = engines();
  await expect(shared.of(scriptedVersion)).rejects.toThrow('did not come whole');
  mirror.cut.clear();
  expect((await shared.of(scriptedVersion)).version).toBe(scriptedVersion);
});

test('§4.2 a run is executed with what was downloaded for it', async () => {
  const agent = await agentOf(app, {
    engines: [],
    download: { name: 'terraform', mirror: mirror.address, keys: mirror.key, directory },
  });
  const { id } = await askForRun(app, acme);
  await comesTo(app, acme, id, 'planned');
  await agent.interrupt();
});

test('§4.2 a version that cannot be had is an error of the run, which says why and what there is', async () => {
  const installed = [scriptedEngine({})];
  const agent = await agentOf(app, {
    engines: installed,
    download: { name: 'terraform', mirror: mirror.address, keys: mirror.key, directory },
  });
  const { id } = await askForRun(app, acme, { workspace: { 'terraform-version': '1.5.7' } });
  await comesTo(app, acme, id, 'errored');
  await agent.interrupt();
  const log = await logOf(app, acme, id, 'plan');
  expect(log).toContain('This agent has no engine of version 1.5.7. It has terraform 1.9.0.');
  expect(log).toContain('terraform_1.5.7_SHA256SUMS is answered with 404.');
});

test('§4.2 the keys of the publishers are those that they name', async () => {
  const fingerprints = await Promise.all(
    Object.values(publishers).map(async ({ key }) => (await openpgp.readKey({ armoredKey: key })).getFingerprint()),
  );
  expect(fingerprints).toEqual([
    'c874011f0ab405110d02105534365d9472d7468f',
    'e3e6e43d84cb852eadb0051d0c0af313e5fd9f80',
  ]);
});
