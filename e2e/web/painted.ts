/** How long somebody waits until they see what they asked for, on the clock of the page itself. */
import type { Page } from 'playwright-core';

/**
 * Milliseconds from the first event of the type to the frame that shows what `isThere` looks for. `isThere` is an expression
 * for the page: true once it is there.
 */
export async function untilPainted(
  page: Page,
  event: 'click' | 'input' | 'keydown',
  isThere: string,
  act: () => Promise<unknown>,
): Promise<number> {
  await page.evaluate(`
    window.painted = new Promise((resolve, reject) => {
      addEventListener('${event}', ({ timeStamp }) => {
        const look = () => {
          if (!(${isThere})) return;
          observer.disconnect();
          clearTimeout(end);
          // The task behind the next frame: by then it is drawn.
          requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = () => resolve(performance.now() - timeStamp);
            port2.postMessage('');
          });
        };
        const observer = new MutationObserver(look);
        const end = setTimeout(() => reject(new Error('it was not seen within 10 seconds')), 10_000);
        observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
      }, { capture: true, once: true });
    });
    undefined`);
  await act();
  return (await page.evaluate('window.painted')) as number;
}

/** The value that this part of them does not exceed. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.ceil(part * sorted.length) - 1)] ?? Number.NaN;
}
