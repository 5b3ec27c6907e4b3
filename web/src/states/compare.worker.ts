/** Compares away from the page, which stays quick however large the states are. */
import { compareStates } from './compare.ts';

addEventListener('message', ({ data }: MessageEvent<{ before: string; after: string; namesOnly: boolean }>) => {
  try {
    postMessage({ comparison: compareStates(data.before, data.after, data.namesOnly) });
  } catch (fault) {
    postMessage({ fault: String(fault) });
  }
});
