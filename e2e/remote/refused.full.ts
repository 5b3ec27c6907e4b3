// terraform and tofu, unmodified, where they may not: what people read then, and that nothing has changed.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { Directory } from '../command-line.ts';
import { apply, describeExecuting, organization } from './executing.ts';

describeExecuting(({ server, directory, workspace, runsOf }) => {
  let made: Directory;
  beforeAll(async () => {
    made = await directory('ours');
    await made.succeed(...apply);
  });

  /** As somebody else, for one command. */
  async function asBearer(token: string, ...given: string[]): Promise<{ status: number | null; output: string }> {
    const settings = readFileSync(join(made.path, 'terrane.tfrc'), 'utf8');
    expect(settings).toContain(server().token);
    made.write('terrane.tfrc', settings.replace(server().token, token));
    const { status, output } = await made.run(...given);
    made.write('terrane.tfrc', settings);
    // Texts are broken into lines of a terminal's width.
    return { status, output: output.replaceAll(/\s+/g, ' ') };
  }

  async function teamWith(access: 'read' | 'plan'): Promise<string> {
    const { api } = server();
    const team = { data: { type: 'teams', attributes: { name: access } } };
    const { id } = (await api('POST', `organizations/${organization}/teams`, team)).data;
    const relationships = {
      team: { data: { type: 'teams', id } },
      workspace: { data: { type: 'workspaces', id: (await workspace('ours')).id } },
    };
    await api('POST', 'team-workspaces', { data: { type: 'team-workspaces', attributes: { access }, relationships } });
    return (await api('POST', `teams/${id}/authentication-token`)).data.attributes.token;
  }

  test('§7 a token that is none → unauthorized', async () => {
    const { status, output } = await asBearer('not-a-token', 'plan', '-no-color');
    expect([status, output]).toEqual([1, expect.stringMatching(/[Uu]nauthorized/)]);
  });

  test('§7 an organization that is not there, or not theirs → not found, with what to look at', async () => {
    const backend = readFileSync(join(made.path, 'backend.tf'), 'utf8');
    made.write('backend.tf', backend.replace(`"${organization}"`, '"nowhere"'));
    const { status, output } = await asBearer(server().token, 'init', '-no-color', '-input=false');
    made.write('backend.tf', backend);
    expect([status, output]).toEqual([1, expect.stringContaining('organization "nowhere" at host')]);
    expect(output).toContain('ensure that the organization and hostname are correct');
  });

  test('§5.2 who may only read may not plan, and who may only plan may not apply; each reads why', async () => {
    const before = (await runsOf('ours')).length;
    const reader = await teamWith('read');
    const refused = await asBearer(reader, 'plan', '-no-color');
    expect([refused.status, refused.output]).toEqual([
      1,
      expect.stringContaining('insufficient rights to generate a plan'),
    ]);
    expect((await asBearer(reader, 'output', '-raw', 'color')).output).toBe('blue');
    const planner = await teamWith('plan');
    const halted = await asBearer(planner, ...apply, '-var', 'color=theirs');
    expect([halted.status, halted.output]).toEqual([
      1,
      expect.stringContaining('insufficient rights to apply changes'),
    ]);
    expect((await runsOf('ours')).length).toBe(before);
    const allowed = await asBearer(planner, 'plan', '-no-color', '-var', 'color=theirs');
    expect([allowed.status, allowed.output]).toEqual([
      0,
      expect.stringContaining('0 to add, 1 to change, 0 to destroy'),
    ]);
    expect(await made.succeed('output', '-raw', 'color')).toBe('blue');
  });
});
