/** What a configuration may be. Pure. */
import { attributeFault, type Fault, relationshipFault } from '../../core/errors.ts';
import { type DestinationType, type SubscribableType, teamTriggers, workspaceTriggers } from './triggers.ts';

/** As it would be afterwards. */
export interface Wanted {
  destination_type: DestinationType | undefined;
  url: string | null;
  email_addresses: readonly string[];
  user_ids: readonly string[];
}

export function destinationFaults({ destination_type: type, url, email_addresses, user_ids }: Wanted): Fault[] {
  if (type === undefined) return [];
  if (type === 'email') {
    return url === null ? [] : [attributeFault('url', 'Url must not be given where the destination type is email')];
  }
  return [
    ...(url === null ? [attributeFault('url', `Url must be given where the destination type is ${type}`)] : []),
    ...(url !== null && hasPassword(url) ? [attributeFault('url', 'Url must not hold a name and a password')] : []),
    ...(email_addresses.length > 0
      ? [attributeFault('email-addresses', `Email addresses get nothing where the destination type is ${type}`)]
      : []),
    ...(user_ids.length > 0
      ? [relationshipFault('users', `Users get nothing where the destination type is ${type}`)]
      : []),
  ];
}

/** What happens in workspaces is told by them and their projects, what concerns teams by teams. */
export function triggerFaults(type: SubscribableType, wanted: readonly string[]): Fault[] {
  const own: readonly string[] = type === 'teams' ? teamTriggers : workspaceTriggers;
  const others = wanted.filter(trigger => !own.includes(trigger));
  if (others.length === 0) return [];
  return [attributeFault('triggers', `Triggers of ${type} are not: ${[...new Set(others)].join(', ')}`)];
}

function hasPassword(url: string): boolean {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  return parsed === null || parsed.username !== '' || parsed.password !== '';
}
