/** One field for all filters: chips, words such as tag: and project:, and the rest as part of the name. */
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useKeys } from '../frame/keys.ts';
import { workspaces as text } from '../texts/workspaces.ts';
import { Icon } from '../ui/icon.tsx';
import { type Chip, chipsOf, type ListAddress, parseTyped, tidy, withoutChip } from './address.ts';

/** The first letter is looked for at once; keys that follow each other faster than people type are taken together. */
const typing_ms = 50;

export function FilterField({ address, onChange }: { address: ListAddress; onChange: (next: ListAddress) => void }) {
  const [typed, setTyped] = useState(address.q ?? '');
  const field = useRef<HTMLInputElement>(null);
  useKeys({ filter: () => field.current?.focus() });
  // The address can change by other means: back, a link, Clear all filters.
  useEffect(() => {
    if (document.activeElement !== field.current) setTyped(address.q ?? '');
  }, [address.q]);
  const search = useSearch(q => onChange(tidy({ ...address, q, page: 1 })));
  const change = (value: string) => {
    setTyped(value);
    // A word of the language is taken once it is finished; until then it is no name to look for.
    if (/(^|\s)-?[a-z]+:\S*$/.test(value)) return;
    if (/:\S+\s$/.test(value)) return take(value);
    search(value);
  };
  const take = (value: string) => {
    const { address: next, rest } = parseTyped(value, address);
    setTyped(rest);
    onChange(tidy({ ...next, q: rest }));
  };
  const chips = chipsOf(address);
  const onKey = (event: KeyboardEvent) => {
    const last = chips.at(-1);
    if (event.key === 'Enter') take(typed);
    else if (event.key === 'Escape') field.current?.blur();
    else if (event.key === 'Backspace' && typed === '' && last) onChange(withoutChip(address, last));
  };
  return (
    <search className="filter">
      <Icon name="filter" />
      {chips.map(chip => (
        <FilterChip
          key={`${chip.key} ${chip.value}`}
          chip={chip}
          onRemove={() => onChange(withoutChip(address, chip))}
        />
      ))}
      <input
        ref={field}
        type="text"
        aria-label={text.filterLabel}
        placeholder={text.filterHint}
        value={typed}
        spellCheck={false}
        autoComplete="off"
        maxLength={200}
        onChange={event => change(event.currentTarget.value)}
        onKeyDown={onKey}
      />
      <kbd className="only-wide">/</kbd>
    </search>
  );
}

/** At once after a pause, and between letters that follow closely only the last is asked for. */
function useSearch(ask: (q: string) => void): (q: string) => void {
  const latest = useRef(ask);
  latest.current = ask;
  const asked = useRef({ at_ms: 0, timer: 0 });
  useEffect(() => () => clearTimeout(asked.current.timer), []);
  return q => {
    clearTimeout(asked.current.timer);
    const send = () => {
      asked.current.at_ms = performance.now();
      latest.current(q);
    };
    if (performance.now() - asked.current.at_ms > typing_ms) send();
    else asked.current.timer = window.setTimeout(send, typing_ms);
  };
}

function FilterChip({ chip: { key, value }, onRemove }: { chip: Chip; onRemove: () => void }) {
  const word = key === '-tag' ? 'not tag' : key;
  return (
    <span className="chip" data-not={key === '-tag' || undefined}>
      <span className="chip-key">{word}</span>
      {value.replace(':', ': ')}
      <button type="button" aria-label={text.removeFilter(word, value)} onClick={onRemove}>
        <Icon name="x" size={12} />
      </button>
    </span>
  );
}
