/** How what is on the screen stays fresh: told by the feed of changes, and where there is none, read again every few seconds. */

/** How often what is on the screen is read again, while it is visible and nobody tells of its changes. */
export const live_ms = { list: 5_000, record: 5_000, running: 2_000, log: 1_000 } as const;

let isTold = false;

export const isToldOfChanges = () => isTold;

export function setToldOfChanges(told: boolean): void {
  isTold = told;
}

/** For what the feed tells of: asked again only while it does not. */
export const untilTold = (interval_ms: number | false) => () => (isTold ? false : interval_ms);
