// What the README says of terraform and tofu, as somebody would paste it: the server of the test stands where its server would.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createDirectory } from '../../test/running/database.ts';
import { program } from '../../test/running/program.ts';
import { hostOf } from '../command-line.ts';
import { describeExecuting, organization } from './executing.ts';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const block = /## terraform and tofu\n[\s\S]*?```sh\n([\s\S]*?)```/.exec(readme)![1]!;

describeExecuting(({ binary, server, workspace, runsOf }) => {
  test('the README: its block is pasted, and the server executes the run', async () => {
    const here = Object.entries({
      '/tmp/network': createDirectory(),
      '127.0.0.1:8080': hostOf(server()),
      globex: organization,
      'npm run --silent terrane --': [process.execPath, ...program].join(' '),
      'terraform init && terraform apply': `${binary} init && ${binary} apply`,
    });
    const script = here.reduce((text, [written, meant]) => {
      expect(text).toContain(written);
      return text.replaceAll(written, meant);
    }, block);
    const { PATH } = process.env;
    const env = { PATH, TERRANE_DATA_DIR: server().dataDirectory, HOME: createDirectory() };
    const { stdout } = await promisify(execFile)('/bin/sh', ['-e', '-c', script], { env: env as NodeJS.ProcessEnv });
    expect(stdout).toContain('Apply complete! Resources: 1 added');
    const [run] = await runsOf('first');
    expect([run.attributes.status, (await workspace('first')).attributes['resource-count']]).toEqual(['applied', 1]);
    const plan = (await server().api('GET', `runs/${run.id}/plan`)).data.attributes;
    expect(plan['execution-details']).toEqual({ mode: 'remote' });
  });
});
