/** For tests of refusals: a caller with a team, no change of any row count, and what a clear refusal looks like. */
import { afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type { Answer, TestApp } from '../app.ts';
import { organization, type TestOrganization, team } from '../builders/records.ts';
import { rowCounts } from './rows.ts';

export interface Owned {
  acme: TestOrganization;
  token: string;
  /** Of the team `platform`. */
  teamId: string;
}

/** An organization with its owner's token and a team; fails every test of the file that leaves a row more or less. */
export function useUnchanged(app: TestApp): Owned {
  const holder = {} as Owned;
  let before: Record<string, number>;
  beforeAll(async () => {
    const acme = await organization(app);
    Object.assign(holder, { acme, token: acme.owner.token, teamId: await team(app, acme, { name: 'platform' }) });
  });
  beforeEach(async () => {
    before = await rowCounts(app.store);
  });
  afterEach(async () => expect(await rowCounts(app.store)).toEqual(before));
  return holder;
}

/** A title, a detail and a place for every fault, and nothing else. */
export function expectRefusal(answer: Pick<Answer, 'status' | 'document'>, status: number, ...places: string[]): void {
  const errors: { source?: Record<string, string> }[] = answer.document?.errors ?? [];
  const found = errors.map(({ source }) => Object.values(source ?? {})[0]);
  expect([answer.status, found]).toEqual([status, places]);
  for (const error of errors) {
    expect(error).toEqual({
      status: String(status),
      title: expect.stringMatching(/\w/),
      detail: expect.stringMatching(/\w/),
      source: expect.anything(),
    });
  }
}
