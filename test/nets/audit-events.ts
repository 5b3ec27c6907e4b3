/** What a write leaves behind: exactly one event about it in each place that it concerns; and nothing at all while events cannot be written. */
import { expect } from 'vitest';
import type { Answer, TestApp } from '../app.ts';
import { rowCounts } from './rows.ts';

/** Operations on what belongs to no organization. */
const outside =
  /^(users|sessions|passwords|password-links|second-factors|login-authorizations|general-settings|engine-versions|sign-in-providers)\.|^organizations\.delete$|^authentication-tokens\.(show|delete|create-for-user)$/;

/** What somebody else does to the account of a person: each organization of that person has the event, too. */
const told =
  /^(users\.(delete|unlink-single-sign-on|disable-second-factor)|password-links\.create|authentication-tokens\.create-for-user)$/;

/** The event of a change: the actor, the address it came from and, but for what belongs to none, the organization. */
export async function expectOneEvent({ store }: TestApp, operation: string, answer: Answer): Promise<void> {
  const events = await store.read`
    select audit_events.* from audit_events where audit_events.request_id = ${answer.headers['x-request-id'] ?? ''}
    order by audit_events.organization_id nulls first`;
  const event = {
    action: operation,
    actor_id: expect.stringMatching(/^user-/),
    remote_address: '127.0.0.1',
    resource_id: expect.any(String),
  };
  const inOrganization = { ...event, organization_id: expect.stringMatching(/^org-/) };
  const copies = told.test(operation) ? events.slice(1).map(() => inOrganization) : [];
  expect(events).toMatchObject([outside.test(operation) ? event : inOrganization, ...copies]);
  expect(new Set(events.map(one => one['organization_id'])).size).toBe(events.length);
}

/** Asks for a change that is allowed, while no event can be written: 500, and every table is as it was. */
export async function expectNothingWithoutEvent(
  { store }: TestApp,
  operation: string,
  ask: () => Promise<Answer>,
): Promise<void> {
  const sql = store.read;
  await sql`alter table audit_events add constraint no_more check (false) not valid`;
  try {
    const before = await rowCounts(store);
    const { status } = await ask();
    expect([operation, status]).toEqual([operation, 500]);
    expect([operation, await rowCounts(store)]).toEqual([operation, before]);
  } finally {
    await sql`alter table audit_events drop constraint no_more`;
  }
}
