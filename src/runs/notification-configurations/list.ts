/** List who is told of what happens in a workspace, a project or to a team: all of them, unless pages are asked for. */
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import type { Subject } from '../../core/jsonapi/records.ts';
import { notificationConfigurationRecords, notificationConfigurations } from './notification-configuration.ts';
import { ofProjects, ofTeams, ofWorkspaces, type Subscribable } from './subscribables.ts';

type Holder = Subject<string> & { id: string; organization_id: string };

const listFor = <Found extends Holder>(operation: string, { one, column, path, subject, needs }: Subscribable<Found>) =>
  endpoint({
    operation,
    section: '§1',
    summary: `List the notification configurations of a ${one}`,
    method: 'GET',
    paths: [path],
    subject,
    needs,
    answer: { status: 200, collection: notificationConfigurations, pages: 'when-asked' },
    handle: context => {
      const { sql, subject } = context;
      const condition = sql`notification_configurations.${sql(column)} = ${subject.id}`;
      const order = sql`notification_configurations.created_at, notification_configurations.id`;
      return notificationConfigurationRecords.page(context, condition, order);
    },
  });

export const listNotificationConfigurations = [
  listFor('notification-configurations.list', ofWorkspaces),
  listFor('notification-configurations.list-of-project', ofProjects),
  listFor('notification-configurations.list-of-team', ofTeams),
];
