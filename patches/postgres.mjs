// Repairs the PostgreSQL driver, which let a lost connection end the process, never write again, or hold up the end:
// https://github.com/porsager/postgres/issues/1208 and /pull/1168. Goes when a release has them repaired.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const repairs = [
  [
    // What a transaction still sends (its rollback) on a connection that is closed is refused instead of written nowhere.
    `    if (stream)
      return queryError(q, Errors.generic('COPY_IN_PROGRESS'`,
    `    if (!socket)
      return queryError(q, Errors.connection('CONNECTION_CLOSED', options)), true

    if (stream)
      return queryError(q, Errors.generic('COPY_IN_PROGRESS'`,
  ],
  [
    // A write that was pending when the connection closed is forgotten, so that the next connection can write.
    `    clearImmediate(nextWriteTimer)
    socket.removeListener('data', data)`,
    `    clearImmediate(nextWriteTimer)
    chunk = nextWriteTimer = null
    socket.removeListener('data', data)`,
  ],
  [
    // A statement that was refused is over: the end of the pool would wait for it.
    `    closedTime = performance.now()
    hadError`,
    `    query = null
    closedTime = performance.now()
    hadError`,
  ],
];

const path = fileURLToPath(new URL('connection.js', import.meta.resolve('postgres')));
const original = readFileSync(path, 'utf8');
let text = original;
for (const [before, after] of repairs) {
  if (text.includes(after)) continue;
  if (!text.includes(before))
    throw new Error(`${path} is not the version that is repaired here: look at ${import.meta.url}.`);
  text = text.replace(before, after);
}
if (text !== original) writeFileSync(path, text);
