// Teams, and the members of the organization, who are invited by their addresses and put on their teams.
import { teams } from '../../../people/teams/team.ts';
import type { Identifier, Resource } from '../../remote/server.ts';
import { allNamed, attributesOf, organizationPath, type Place, references } from '../place.ts';
import type { Kind } from './kind.ts';

const owners = 'owners';

export const teamKind: Kind = {
  type: 'teams',
  title: 'teams',
  read: async place => {
    const documents = await place.server.list(organizationPath(place, '/teams'));
    return documents.map(document => {
      const name = String(document.attributes['name']);
      place.directory.learn('teams', document.id, name);
      // Every organization has its owners, who may do everything.
      const content = name === owners ? {} : { attributes: attributesOf(document, teams, ['name']) };
      return { name, id: document.id, content, missing: [] };
    });
  },
  write: async (target, { record, present }) => {
    const attributes = { name: record.name, ...(record.content['attributes'] as object) };
    const data = { type: 'teams', attributes };
    if (present) await target.change('PATCH', `teams/${present.id}`, data);
    else {
      const { id } = await target.create(organizationPath(target, '/teams'), data, record.id);
      target.directory.learn('teams', id, record.name);
    }
  },
};

export const membershipKind: Kind = {
  type: 'organization-memberships',
  title: 'members',
  read: async place => {
    const documents = await place.server.list(organizationPath(place, '/organization-memberships'));
    return documents
      .filter(({ attributes }) => attributes['email'])
      .map(document => {
        const name = addressOf(document);
        learnUser(place, document, name);
        return { name, id: document.id, content: { teams: allNamed(place, document, 'teams') }, missing: [] };
      });
  },
  write: async (target, { record, present }) => {
    const wanted = record.content['teams'] as string[];
    if (!present) {
      const data = {
        type: 'organization-memberships',
        attributes: { email: record.name },
        relationships: { teams: references(target, 'teams', wanted) },
      };
      const made = await target.create(organizationPath(target, '/organization-memberships'), data);
      learnUser(target, made, record.name);
      return;
    }
    const has = present.content['teams'] as string[];
    for (const team of wanted.filter(name => !has.includes(name))) {
      const path = `teams/${target.directory.idOf('teams', team)}/relationships/organization-memberships`;
      await target.change('POST', path, [{ type: 'organization-memberships', id: present.id }]);
    }
  },
};

const addressOf = ({ attributes }: Resource) => String(attributes['email']).toLowerCase();

/** Who gets letters is named by the account. */
function learnUser({ directory }: Place, { relationships, id }: Resource, address: string): void {
  const user = relationships?.['user']?.data as Identifier | null | undefined;
  directory.learn('users', user?.id ?? id, address);
}
