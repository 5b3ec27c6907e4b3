/** The installation as a whole: the subject of what belongs to no organization. */
import { sitePowers } from '../../access/policy.ts';
import type { Finder, Subject } from '../../core/jsonapi/endpoint.ts';
import type { Row } from '../../core/jsonapi/fields.ts';

export interface Site extends Subject {
  limit_user_organization_creation: boolean;
}

/** Every caller may call; site administrators administer; who may create organizations is a setting. */
export const site: Finder<Site> = {
  find: async (sql, actor, _params, lock) => {
    const [row] = await sql<Row[]>`
      select site_settings.id, site_settings.limit_user_organization_creation from site_settings
      ${lock === 'update' ? sql`for update` : sql``}`;
    const mayCreate = actor.kind === 'user' && (actor.isSiteAdmin || !row!['limit_user_organization_creation']);
    const powers =
      sitePowers.bit.call |
      (actor.isSiteAdmin ? sitePowers.bit.administer : 0) |
      (mayCreate ? sitePowers.bit['create-organizations'] : 0);
    return { ...row!, powers } as Site;
  },
};
