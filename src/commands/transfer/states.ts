// States, byte for byte: listed and fetched from a server, and made anew on the target under its lock.
import { createHash } from 'node:crypto';
import { CommandError } from '../command-error.ts';
import type { Resource } from '../remote/server.ts';
import type { Place, Target } from './place.ts';

export type Which = 'current' | 'all' | 'none';

export interface State {
  serial: number;
  fetch: () => Promise<Buffer>;
}

/** The largest that any server of this API takes. */
const limitBytes = 1024 * 1024 * 1024;

/** Those of a workspace, oldest first. One whose content is gone is left out. */
export async function readStates(
  place: Place,
  workspace: { id: string; name: string },
  which: Which,
): Promise<State[]> {
  if (which === 'none') return [];
  const { server, organization } = place;
  const names = { workspace: workspace.name, organization };
  const filter = Object.entries(names).map(
    ([name, value]) => `filter%5B${name}%5D%5Bname%5D=${encodeURIComponent(value)}`,
  );
  const versions =
    which === 'all'
      ? await server.list(`state-versions?${filter.join('&')}`)
      : [await server.find(`workspaces/${workspace.id}/current-state-version`)];
  return versions.flatMap(version => asState(place, version)).sort((one, other) => one.serial - other.serial);
}

function asState({ server }: Place, version: Resource | undefined): State[] {
  const url = version?.attributes['hosted-state-download-url'];
  if (!version || typeof url !== 'string' || version.attributes['status'] === 'pending') return [];
  const fetch = () => server.download(url, limitBytes);
  return [{ serial: Number(version.attributes['serial']), fetch }];
}

/** By it an import knows the locks that one before it left when it was broken off. */
const lockReason = 'Its state is being imported';

/** Makes what is newer than what the target has, in its order. Returns how many there were. */
export async function writeStates(
  target: Target,
  id: string,
  states: readonly State[],
  isNew: boolean,
): Promise<number> {
  if (states.length === 0) return 0;
  const { head, isOurs } = isNew ? { head: -1, isOurs: false } : await presentState(target, id);
  const missing = states.filter(({ serial }) => serial > head);
  if (target.isDry || (missing.length === 0 && !isOurs)) return missing.length;
  if (!isOurs) await target.server.send('POST', `workspaces/${id}/actions/lock`, { reason: lockReason });
  try {
    for (const state of missing) await writeState(target, id, state);
  } finally {
    await target.change('POST', `workspaces/${id}/actions/unlock`);
  }
  return missing.length;
}

/** The serial of the newest state of a workspace, or -1; and whether an import that was broken off holds its lock. */
async function presentState({ server }: Place, id: string): Promise<{ head: number; isOurs: boolean }> {
  const [workspace, current] = await Promise.all([
    server.find(`workspaces/${id}`),
    server.find(`workspaces/${id}/current-state-version`),
  ]);
  const isOurs = workspace?.attributes['locked-reason'] === lockReason;
  return { head: current ? Number(current.attributes['serial']) : -1, isOurs };
}

async function writeState(target: Target, id: string, { serial, fetch }: State): Promise<void> {
  const bytes = await fetch();
  const attributes = { serial, md5: digest(bytes), lineage: lineageOf(bytes), state: bytes.toString('base64') };
  await target.change('POST', `workspaces/${id}/state-versions`, { type: 'state-versions', attributes });
}

export const digest = (bytes: Buffer) => createHash('md5').update(bytes).digest('hex');

function lineageOf(bytes: Buffer): string | null {
  try {
    return (JSON.parse(bytes.toString()) as { lineage?: string } | null)?.lineage ?? null;
  } catch {
    throw new CommandError('its state is not JSON');
  }
}
