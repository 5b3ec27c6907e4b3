/** The form as text, in three languages. */
import { useState } from 'react';
import { newWorkspace as text } from '../texts/workspace.ts';
import { CodeBlock } from '../ui/copy.tsx';
import { asCloudBlock, asRequest, asTerraform, type Draft } from './new-draft.ts';

const tabs = ['terraform', 'api', 'cloud'] as const;

export function SameAs({ organization, draft }: { organization: string; draft: Draft }) {
  const [tab, setTab] = useState<(typeof tabs)[number]>('terraform');
  const shown = {
    terraform: () => asTerraform(organization, draft),
    api: () => asRequest(organization, draft),
    cloud: () => asCloudBlock(organization, draft, window.location.host),
  }[tab]();
  return (
    <section className="card same-as" aria-label={text.sameAs}>
      <header className="tabbed">
        <div className="tabs" role="tablist">
          {tabs.map(name => (
            <button key={name} type="button" role="tab" aria-selected={tab === name} onClick={() => setTab(name)}>
              {text[name]}
            </button>
          ))}
        </div>
      </header>
      <CodeBlock text={shown} label={text[tab]} />
      <p className="card-body muted small">{text.sameDetail}</p>
    </section>
  );
}
