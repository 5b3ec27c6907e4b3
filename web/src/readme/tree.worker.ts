/** Reads a README away from the page: how long that takes is up to whoever wrote it. */
import { treeOf } from './tree.ts';

addEventListener('message', ({ data }: MessageEvent<string>) => {
  try {
    postMessage(treeOf(data));
  } catch (fault) {
    postMessage({ fault: String(fault) });
  }
});
