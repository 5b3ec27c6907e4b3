/** The installation as a whole: the subject of what belongs to no organization. */
import { sitePowers } from '../../access/policy.ts';
import type { Finder, Subject } from '../../core/jsonapi/records.ts';
import { held } from '../../core/store/store.ts';

export interface Site extends Subject<'site'> {
  limit_user_organization_creation: boolean;
  default_remote_state_access: boolean;
}

/** Everybody may enter, and every caller may call; site administrators administer; who may create organizations is a setting. */
export const site: Finder<Site> = {
  parameter: 'site',
  find: async ({ sql, actor, lock, proof }) => {
    const [row] = await sql<Omit<Site, 'powers'>[]>`
      select site_settings.id, site_settings.limit_user_organization_creation,
        site_settings.default_remote_state_access${proof.column}
      from site_settings
      ${held(sql, lock, 'site_settings')}`;
    proof.of(row);
    const isLimited = row!.limit_user_organization_creation;
    const powers = sitePowers.where({
      call: actor.kind !== 'visitor',
      enter: true,
      administer: actor.isSiteAdmin,
      'create-organizations': actor.kind === 'user' && (actor.isSiteAdmin || !isLimited),
    });
    return { ...row!, powers };
  },
};
