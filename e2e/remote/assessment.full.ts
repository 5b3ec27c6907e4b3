// terraform and tofu, unmodified: the daily look at what a workspace manages, in the hosted edition.
import { expect, test } from 'vitest';
import { apply, describeExecuting } from './executing.ts';

const checked = `
check "color" {
  assert {
    condition     = var.color != "red"
    error_message = "Not red."
  }
}
`;

describeExecuting(
  ({ server, directory, workspace, setWorkspace, setVariable, runsOf }) => {
    test('§4.2 an assessment plans without applying: what is as it was, a check that fails, and its files', async () => {
      const { succeed } = await directory('assessed', checked);
      await succeed(...apply);
      await setVariable('assessed', { key: 'color', value: 'red', category: 'terraform' });
      await setWorkspace('assessed', { 'assessments-enabled': true });
      const result = async () =>
        (await workspace('assessed')).relationships['current-assessment-result'].data as { id: string } | null;
      await expect.poll(result, { timeout: 150_000, interval: 1000 }).not.toBe(null);
      const { id } = (await result())!;
      const { attributes } = (await server().api('GET', `assessment-results/${id}`)).data;
      expect(attributes).toMatchObject({
        succeeded: true,
        drifted: false,
        'resources-undrifted': 1,
        'checks-failed': 1,
        'all-checks-succeeded': false,
      });
      expect(await runsOf('assessed')).toHaveLength(1);
      const file = async (name: string) => {
        const headers = { authorization: `Bearer ${server().token}` };
        return (await fetch(`${server().address}/api/v2/assessment-results/${id}/${name}`, { headers })).text();
      };
      expect(JSON.parse(await file('json-output')).checks[0].status).toBe('fail');
      expect(JSON.parse(await file('json-schema')).provider_schemas).toHaveProperty(['terraform.io/builtin/terraform']);
      expect(await file('log-output')).toContain('"@level"');
      expect(await succeed('output', '-raw', 'color')).toBe('blue');
    });
  },
  async () => ({ TERRANE_EDITION: 'hosted' }),
);
