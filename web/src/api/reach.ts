/** Whether the server answered the last time that anything was asked of it. */
let isReached = true;
const listeners = new Set<() => void>();

export const serverIsReached = () => isReached;

export function noteReach(reached: boolean): void {
  if (reached === isReached) return;
  isReached = reached;
  for (const listener of listeners) listener();
}

export function onReach(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
