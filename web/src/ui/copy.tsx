/** Copies a text, and says so. */
import { useState } from 'react';
import { common } from '../texts/common.ts';
import { Icon } from './icon.tsx';

export function useCopy(): [string | null, (text: string) => void] {
  const [copied, setCopied] = useState<string | null>(null);
  const copy = async (text: string) => {
    await navigator.clipboard.writeText(text).catch(() => copyBySelection(text));
    setCopied(text);
    setTimeout(() => setCopied(null), 2000);
  };
  return [copied, text => void copy(text)];
}

/** Where the page was not loaded over TLS, browsers have no clipboard for scripts. */
function copyBySelection(text: string): void {
  const before = document.activeElement as HTMLElement | null;
  const area = document.createElement('textarea');
  area.value = text;
  // Selecting takes the focus, which a dialog does not let go of.
  (before?.closest('[role=dialog], [role=alertdialog]') ?? document.body).append(area);
  area.select();
  document.execCommand('copy');
  before?.focus();
  area.remove();
}

export function Copy({ text, label }: { text: string; label: string }) {
  const [copied, copy] = useCopy();
  return (
    <>
      <button type="button" className="copy" aria-label={label} title={label} onClick={() => copy(text)}>
        <Icon name={copied ? 'check' : 'copy'} size={14} />
      </button>
      <span role="status" className="hidden-text">
        {copied ? common.copied : ''}
      </span>
    </>
  );
}

export function Id({ id, label = 'Copy ID' }: { id: string; label?: string }) {
  return (
    <span>
      <span className="mono">{id}</span>
      <Copy text={id} label={label} />
    </span>
  );
}

export function CodeBlock({ text, label }: { text: string; label: string }) {
  return (
    <div className="code-block">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard. */}
      <section className="code" tabIndex={0} aria-label={label}>
        <pre>{text}</pre>
      </section>
      <Copy text={text} label={`${common.copy}: ${label}`} />
    </div>
  );
}
