/** …/settings/tags: the keys that come first wherever tags are typed, and the tags without a value. */
import { FlatTags } from './flat-tags.tsx';
import { ReservedTags } from './reserved-tags.tsx';

export function TagSettings({ organization }: { organization: string }) {
  return (
    <>
      <ReservedTags organization={organization} />
      <FlatTags organization={organization} />
    </>
  );
}
