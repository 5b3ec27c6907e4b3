// terraform and tofu, unmodified, with Terrane executing their runs: what they plan and apply, and what they print of it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { apply, describeExecuting, slow } from './executing.ts';

describeExecuting(({ server, directory, workspace, setWorkspace, setVariable, runsOf, statusIs, logOf }) => {
  test('§2.2 plan, apply and destroy are executed by the server, with the variables of run and workspace', async () => {
    const { succeed } = await directory('plain');
    await setVariable('plain', { key: 'color', value: 'of $${the} %{workspace}"\n', category: 'terraform' });
    expect(await succeed('plan', '-no-color')).toContain('1 to add, 0 to change, 0 to destroy');
    expect(await succeed(...apply)).toContain('1 added, 0 changed, 0 destroyed');
    expect(await succeed('output', '-raw', 'color')).toBe('of $${the} %{workspace}"\n');
    expect(await succeed(...apply, '-var', 'color=of the run')).toContain('0 added, 1 changed');
    expect(await succeed('output', '-raw', 'color')).toBe('of the run');
    expect((await workspace('plain')).attributes).toMatchObject({ locked: false, 'resource-count': 1 });
    const [run] = await runsOf('plain');
    const done = (await server().api('GET', `runs/${run.id}/apply`)).data;
    expect(done.attributes).toMatchObject({ status: 'finished', 'resource-changes': 1 });
    expect(done.relationships['state-versions'].data).not.toEqual([]);
    expect(await succeed('destroy', '-auto-approve', '-no-color')).toContain('1 destroyed');
    expect((await workspace('plain')).attributes['resource-count']).toBe(0);
    const figures = (await workspace('plain')).attributes;
    expect([figures['workspace-kpis-runs-count'], figures['run-failures']]).toEqual([3, 0]);
  });

  test('§4.3 the remote backend prints logs as they are: they are text for people', async () => {
    const { succeed } = await directory('text', '', 'backend "remote"');
    const planned = await succeed('plan', '-no-color');
    expect(planned).toContain('Plan: 1 to add, 0 to change, 0 to destroy.');
    const applied = await succeed(...apply);
    expect(applied).toContain('Apply complete! Resources: 1 added, 0 changed, 0 destroyed.');
    expect(planned + applied).not.toContain('"@level"');
    expect((await runsOf('text'))[0].attributes.source).toBe('terraform');
  });

  test('§4.2 the cloud block, and text where structured output is off', async () => {
    const { succeed } = await directory('unstructured');
    await setWorkspace('unstructured', { 'structured-run-output-enabled': false });
    expect(await succeed('plan', '-no-color')).toContain('1 to add, 0 to change, 0 to destroy');
    expect(await succeed(...apply)).toContain('1 added, 0 changed, 0 destroyed');
  });

  test('§2.2 targets, replacements, refreshes and plans of a destroy are those that were asked for', async () => {
    const { succeed } = await directory('modes', 'resource "terraform_data" "two" { input = var.color }');
    expect(await succeed(...apply, '-target=terraform_data.one')).toContain('1 added, 0 changed, 0 destroyed');
    expect(await succeed(...apply)).toContain('1 added, 0 changed, 0 destroyed');
    expect(await succeed(...apply, '-replace=terraform_data.two')).toContain('1 added, 0 changed, 1 destroyed');
    expect(await succeed(...apply, '-refresh-only')).toContain('No changes.');
    expect(await succeed('plan', '-no-color', '-destroy')).toContain('0 to add, 0 to change, 2 to destroy');
    expect((await workspace('modes')).attributes['resource-count']).toBe(2);
  });

  test('§2.2 what is imported is imported by the server, and the configuration for it comes back', async () => {
    const { succeed, path } = await directory(
      'imported',
      `
      import {
        to = terraform_data.imported
        id = "abc"
      }`,
    );
    const planned = await succeed('plan', '-no-color', '-generate-config-out=generated.tf');
    expect(planned).toContain('1 to import, 1 to add, 0 to change, 0 to destroy');
    expect(readFileSync(join(path, 'generated.tf'), 'utf8')).toContain('resource "terraform_data" "imported"');
    expect(await succeed(...apply)).toContain('1 imported, 1 added, 0 changed, 0 destroyed');
    expect(await succeed('state', 'list')).toBe('terraform_data.imported\nterraform_data.one\n');
  });

  test('§2.2 what is sensitive is not in the log, and reaches the engine', async () => {
    const { succeed, run } = await directory('masked', slow(0));
    await setVariable('masked', { key: 'SECRET_TEXT', value: 'open sesame', category: 'env', sensitive: true });
    await succeed(...apply);
    const [made] = await runsOf('masked');
    const log = await logOf(made.id, 'apply');
    expect([/begun \*\*\*/.test(log), log.includes('sesame')]).toEqual([true, false]);
    expect((await run('plan', '-no-color', '-detailed-exitcode')).status).toBe(0);
  });

  test('§4.2 an engine that the agent does not have is an error that names what there is', async () => {
    const { run } = await directory('old');
    await setWorkspace('old', { 'terraform-version': '1.1.9' });
    const failed = await run('plan', '-no-color');
    expect(failed.status).toBe(1);
    expect(failed.output).toMatch(/no engine of version 1\.1\.9\. It has .*\d\.\d+\.\d+/);
  });

  test('§2.2 a faulty configuration errs, and says why', async () => {
    const { run } = await directory('faulty', 'resource "terraform_data" "two" { input = var.missing }');
    const failed = await run('plan', '-no-color');
    expect([failed.status, /Reference to undeclared input variable/.test(failed.output)]).toEqual([1, true]);
    await statusIs('faulty', 'errored');
  });
});
