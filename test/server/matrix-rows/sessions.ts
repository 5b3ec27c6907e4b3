/** Rows of the access matrix for sessions and passwords (§1). */
import { bodyOf, passwordOf, person, sessionOf } from '../../builders/records.ts';
import type { Caller, World } from '../../cast/world.ts';
import type { Asked, Row, Rows } from './fresh.ts';

/** The caller, by a session of its own where it comes with one: for rows that end what the caller shows. */
const afresh: Row = async ({ world }, caller) => ({
  params: {},
  token: caller.token?.startsWith('session ') ? await sessionOf(world.app, nameless(caller)) : caller.token,
});

const nameless = ({ userId }: Caller) => ({ id: userId, username: '' });

async function sessionIn({ app }: World, user: { id: string; username: string }): Promise<Asked> {
  await sessionOf(app, user);
  const [last] = await app.store.read`
    select sessions.id from sessions where sessions.user_id = ${user.id} order by sessions.created_at desc, sessions.id limit 1`;
  return { params: { session_id: last!['id'] } };
}

const byId: Record<string, Row> = {
  "of the caller's own account": ({ world }, caller) => sessionIn(world, nameless(caller)),
  'of another member': async ({ world, member }) => sessionIn(world, await member()),
};

const ofMember: Row = async ({ world, member }) => {
  const someone = await member();
  await sessionOf(world.app, someone);
  return { params: someone.params };
};

export const sessionRows: Rows = {
  'sessions.create': async ({ world: { app } }) => {
    const someone = await person(app);
    const password = await passwordOf(app, someone);
    return { params: {}, body: bodyOf('sessions', { name: someone.username, password }) };
  },
  'sessions.show-own': () => ({ params: {} }),
  'sessions.end-own': afresh,
  'sessions.list-own': () => ({ params: {} }),
  'sessions.end-others': () => ({ params: {} }),
  'sessions.show': byId,
  'sessions.end': byId,
  'sessions.list-of-user': ofMember,
  'sessions.end-of-user': ofMember,
};

export const passwordRows: Rows = {
  'passwords.change': async ({ world: { app } }, { userId }) => {
    await app.store.read`delete from passwords where passwords.user_id = ${userId}`;
    return { params: {}, body: bodyOf('passwords', { password: 'four words of my own' }) };
  },
};
