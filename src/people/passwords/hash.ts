/** Passwords as they are stored: argon2id, whose parameters stand here alone. At most a few are hashed at once. */
import { type Algorithm, hash, verify } from '@node-rs/argon2';
import { ApiError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { randomBase62 } from '../../core/store/ids.ts';

/** Grow them with the machines: whoever signs in next is hashed anew. Memory in KiB; 2 is argon2id. */
const parameters = { algorithm: 2 as Algorithm.Argon2id, memoryCost: 32 * 1024, timeCost: 3, parallelism: 1 };

/** The same text, however a keyboard composed it. */
const composed = (password: string) => password.normalize('NFKC');

export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(composed(password), parameters));
}

/** Whether it is the password that was hashed. Where there is none the answer takes as long, and is no. */
export async function isPassword(stored: string | null, password: string): Promise<boolean> {
  nobodys ??= hashPassword(randomBase62(20));
  const compared = stored ?? (await nobodys);
  const isSame = await inTurn(() => verify(compared, composed(password)));
  return isSame && stored !== null;
}

let nobodys: Promise<string> | undefined;

/** Whether it was made with less than what is asked for now. */
export function isOutgrown(stored: string): boolean {
  const [, memory, time] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),/.exec(stored) ?? [];
  return !(Number(memory) >= parameters.memoryCost && Number(time) >= parameters.timeCost);
}

const waiting: (() => void)[] = [];
let underWay = 0;
let begun = 0;

/** How many were hashed or compared since this process began: what guessing costs. */
export const hashCount = (): number => begun;

/** Runs the work when its turn comes. Refuses it where too many wait already. */
async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (underWay < limits.hashes_items.value) underWay += 1;
  else if (waiting.length >= limits.waitingHashes_items.value) throw new ApiError('server-busy');
  else await new Promise<void>(resolve => void waiting.push(resolve));
  begun += 1;
  try {
    return await work();
  } finally {
    // Whoever waits longest takes the place over.
    const next = waiting.shift();
    if (next) next();
    else underWay -= 1;
  }
}
