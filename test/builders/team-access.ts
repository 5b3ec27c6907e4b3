/** Requests for the access of teams to workspaces and to projects, with what most tests leave as it is. */
import type { Answer, TestApp } from '../app.ts';
import { bodyOf } from './records.ts';

interface Usual {
  /** The caller's. */
  token: string;
  /** The workspace or project. */
  to: string | null;
}

export interface AccessRequests {
  give: (teamId: string | null, attributes: object, given?: Partial<Usual>) => Promise<Answer>;
  patch: (id: string, attributes: object, token?: string) => Promise<Answer>;
  list: (query: string, token?: string) => Promise<Answer>;
}

/** `usual` is asked at every request, since tests know their records only when they run. */
export function accessRequests(app: TestApp, on: 'workspace' | 'project', usual: () => Usual): AccessRequests {
  const type = `team-${on}s`;
  const reference = (ofType: string, id: string | null) => ({ data: id && { type: ofType, id } });
  return {
    give: (teamId, attributes, given = {}) => {
      const { token, to } = { ...usual(), ...given };
      const relationships = { team: reference('teams', teamId), [on]: reference(`${on}s`, to) };
      return app.post(type, token, bodyOf(type, attributes, relationships));
    },
    patch: (id, attributes, token = usual().token) => app.patch(`${type}/${id}`, token, bodyOf(type, attributes)),
    list: (query, token = usual().token) => app.get(`${type}${query}`, token),
  };
}
