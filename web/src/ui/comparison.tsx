/** Values side by side: what each is called, and what it is in each of the cases. */
import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';

interface Props {
  /** Of the columns; the first says what each row is about. */
  titles: readonly string[];
  children: ReactNode;
}

export function Comparison({ titles, children }: Props) {
  return (
    <table className="table">
      <thead>
        <tr>
          {titles.map(title => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

interface ChangedThingProps extends Props {
  /** How it changes: for the eye a sign, for everybody a word. */
  kind: string;
  sign: string;
  word: string | undefined;
  name: string;
  isOpen?: boolean;
}

/** One thing that changes, and its values once somebody opens it. */
export function ChangedThing({ kind, sign, word, name, isOpen = false, ...values }: ChangedThingProps) {
  return (
    <details className="card-row" open={isOpen || undefined}>
      <summary className="line">
        <Icon name="right" size={14} />
        <span className="sign" data-change={kind} aria-hidden="true">
          {sign}
        </span>
        <span className="mono grow anywhere">{name}</span>
        <span className="muted">{word}</span>
      </summary>
      {values.children && <Comparison {...values} />}
    </details>
  );
}
