/** Every refusal there is (§7): a name → status, title and text. Code refuses by name, callers read the text. */
import { contentRefusals } from './of-content.ts';
import { hookRefusals } from './of-hooks.ts';
import { peopleRefusals } from './of-people.ts';
import { requestRefusals } from './of-requests.ts';
import { runRefusals } from './of-runs.ts';
import { signInRefusals } from './of-sign-in.ts';
import { workspaceRefusals } from './of-workspaces.ts';

export const refusals = {
  ...requestRefusals,
  ...peopleRefusals,
  ...signInRefusals,
  ...workspaceRefusals,
  ...contentRefusals,
  ...runRefusals,
  ...hookRefusals,
} as const;
