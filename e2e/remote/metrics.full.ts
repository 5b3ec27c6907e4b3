// The figures of a workspace after more runs of a real engine than they cover, beside what its runs say of themselves.
import { expect, test } from 'vitest';
import { apply, describeExecuting } from './executing.ts';

const window = 30;
const uncounted = 2;

interface Phase {
  status: string;
  'status-timestamps': Record<string, string>;
}

describeExecuting(executing => {
  const { server, directory, workspace } = executing;
  const api = (method: string, path: string, body?: unknown) => server().api(method, path, body);

  /** Seconds, as exact as the documents are. */
  const lasted = ({ 'status-timestamps': at }: Phase): number[] => {
    const end = at['finished-at'] ?? at['errored-at'];
    return at['started-at'] && end ? [(Date.parse(end) - Date.parse(at['started-at'])) / 1000] : [];
  };
  const average = (seconds: readonly number[]) => seconds.reduce((sum, one) => sum + one, 0) / seconds.length;

  test('§2.2 metrics: the last thirty runs that were applied or errored count, and their times are those of their plans and applies', async () => {
    const { succeed } = await directory('measured', 'resource "terraform_data" "number" {\n  input = timestamp()\n}\n');
    await succeed(...apply);
    const { id } = await workspace('measured');
    const again = async (attributes: object) => {
      const relationships = { workspace: { data: { type: 'workspaces', id } } };
      await api('POST', 'runs', { data: { type: 'runs', attributes, relationships } });
    };
    for (let made = 0; made < 9; made += 1) await again({ 'auto-apply': true });
    // A target that is none is refused by the engine at once.
    for (let made = 0; made < window + uncounted - 10; made += 1)
      await again({ 'auto-apply': true, 'target-addrs': [`none.${made}.of.these!`] });
    // One that nobody applies is not counted.
    await again({ 'plan-only': true });
    const runs = async () => (await api('GET', `workspaces/${id}/runs?page[size]=100`)).data;
    const open = async () =>
      (await runs()).filter((run: { attributes: { status: string } }) => !isFinal(run.attributes.status)).length;
    await expect.poll(open, { timeout: 600_000, interval: 1000 }).toBe(0);
    const counted = (await runs())
      .filter(({ attributes: { status } }: { attributes: { status: string } }) => /^(applied|errored)$/.test(status))
      .slice(0, window);
    expect(counted).toHaveLength(window);
    const phases = (name: 'plan' | 'apply'): Promise<Phase[]> =>
      Promise.all(
        counted.map(async (run: { id: string }) => (await api('GET', `runs/${run.id}/${name}`)).data.attributes),
      );
    const failed = counted.filter(
      (run: { attributes: { status: string } }) => run.attributes.status === 'errored',
    ).length;
    expect(failed).toBeGreaterThan(20);
    const { attributes } = await workspace('measured');
    expect(attributes).toMatchObject({
      'workspace-kpis-runs-count': window,
      'run-failures': failed,
      'policy-check-failures': 0,
    });
    const ofPlans = average((await phases('plan')).flatMap(lasted));
    const ofApplies = average((await phases('apply')).flatMap(lasted));
    // Documents tell whole seconds; over thirty runs what they leave out evens out.
    expect(Math.abs(attributes['plan-duration-average'] / 1000 - ofPlans)).toBeLessThan(0.5);
    expect(Math.abs(attributes['apply-duration-average'] / 1000 - ofApplies)).toBeLessThan(0.7);
  }, 900_000);
});

const isFinal = (status: string) =>
  ['applied', 'errored', 'planned_and_finished', 'canceled', 'discarded'].includes(status);
