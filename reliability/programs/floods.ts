/** S9: what a good caller notices of another one's floods, and of hundreds of slow connections. */
import { openDatabases } from '../../bench/databases.ts';
import { besideFloods } from '../../bench/hostile.ts';
import { atExit } from '../processes.ts';
import { atMost, type Program } from '../program.ts';

const workspaces = 2000;
const mostOfQuiet = 2;

/** `count` is how often each flood takes turns with quiet. */
export const floods: Program = async ({ isQuick, count = isQuick ? 1 : 5, program, environment, say }) => {
  const databases = await openDatabases([{ size: workspaces, organizations: 1 }]);
  atExit(databases.close);
  const limits = { rounds: count, seconds: isQuick ? 1 : 3, only: '' };
  const found = await besideFloods(databases.all[0]!, limits, { program, environment });
  return found.map(({ kind, quiet, beside, ratio }) => {
    say(`${kind}: ${quiet.percentile99.toFixed(1)} → ${beside.percentile99.toFixed(1)} ms`);
    return atMost(`99 % beside ${kind}, by quiet`, ratio.percentile99, mostOfQuiet);
  });
};
