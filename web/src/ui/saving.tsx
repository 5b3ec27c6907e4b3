/**
 * Saves what somebody changed. The record is read again first: what others changed meanwhile is kept, and where that is the
 * same field, whoever saves chooses. A change between this reading and the saving the server refuses (If-Match), and it is
 * read once more.
 */
import { Button } from '@mantine/core';
import type { FetchQueryOptions, QueryKey } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { cache } from '../api/cache.ts';
import { tagOf } from '../api/client.ts';
import { ApiFailure } from '../api/failure.ts';
import { common } from '../texts/common.ts';
import { Comparison } from './comparison.tsx';
import { Dialog } from './dialog.tsx';

export type Values = Record<string, unknown>;

/** What the server holds now, and what names it. */
export interface Reading {
  values: Values;
  tag?: string | undefined;
}

/** Goes into a request, and makes the change for what was read alone. */
export type Meant = { headers?: { 'if-match': string } };

interface Saving<A extends object> {
  labelOf: (key: string) => string;
  /** How a value is said to people; without it, as it is. */
  wordOf?: ((key: string, value: unknown) => string | undefined) | undefined;
  read: () => Promise<Reading>;
  save: (changes: A, meant: Meant) => Promise<unknown>;
}

/** @returns what was saved, which is nothing where somebody took what others had written; null where they went back */
type Send<A extends object> = (before: object, mine: A) => Promise<A | null>;

interface Met {
  key: string;
  before: unknown;
  now: unknown;
  mine: unknown;
}

type Choice = 'mine' | 'theirs' | 'neither';
interface Question {
  met: readonly Met[];
  answer: (choice: Choice) => void;
}

/** Others may be faster this often, until it is told as a failure. */
const mostTries = 3;

export function useSaving<A extends object>({ labelOf, wordOf, read, save }: Saving<A>): [Send<A>, ReactNode] {
  const [question, setQuestion] = useState<Question | null>(null);
  const ask = (met: readonly Met[]) =>
    new Promise<Choice>(resolve =>
      setQuestion({
        met,
        answer: choice => {
          setQuestion(null);
          resolve(choice);
        },
      }),
    );
  const send: Send<A> = async (before, given) => {
    let known = before as Values;
    let mine = given;
    let tries = 0;
    for (;;) {
      const { values: now, tag } = await read();
      const met = metIn(known, now, mine);
      if (met.length > 0) {
        const choice = await ask(met);
        if (choice === 'neither') return null;
        if (choice === 'theirs') mine = without(mine, met);
        if (Object.keys(mine).length === 0) return mine;
        known = { ...known, ...Object.fromEntries(met.map(({ key, now: value }) => [key, value])) };
        continue;
      }
      try {
        await save(mine, tag ? { headers: { 'if-match': tag } } : {});
        return mine;
      } catch (caught) {
        tries += 1;
        if (!(caught instanceof ApiFailure && caught.status === 412) || tries === mostTries) throw caught;
      }
    }
  };
  return [send, question && <ConflictDialog {...question} labelOf={labelOf} wordOf={wordOf} />];
}

export const same = (one: unknown, other: unknown) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/** The fields that others changed as well, to something else. */
function metIn(before: Values, now: Values, mine: object): Met[] {
  return Object.entries(mine)
    .map(([key, value]) => ({ key, before: before[key], now: now[key], mine: value }))
    .filter(met => !same(met.now, met.before) && !same(met.now, met.mine));
}

const without = <A extends object>(values: A, met: readonly Met[]): A =>
  Object.fromEntries(Object.entries(values).filter(([key]) => !met.some(field => field.key === key))) as A;

type Shown = { data: { attributes: object } };

/** What a document says of the fields of a form: by default the attributes of its record. */
export function readingOf<T extends Shown>(
  document: T,
  valuesOf: (document: T) => object = ({ data }) => data.attributes,
): Reading {
  return { values: valuesOf(document) as Values, tag: tagOf(document) };
}

/** The same, read past the cache. */
export async function readAgain<T extends Shown, K extends QueryKey>(
  query: FetchQueryOptions<T, Error, T, K>,
  valuesOf?: (document: T) => object,
): Promise<Reading> {
  return readingOf(await cache.fetchQuery({ ...query, staleTime: 0 }), valuesOf);
}

/** The fields that stand otherwise than before. */
export const changesOf = <A extends object>(before: A, after: A): Partial<A> =>
  Object.fromEntries(
    Object.entries(after).filter(([key, value]) => !same(value, before[key as keyof A])),
  ) as Partial<A>;

function ConflictDialog({ met, answer, labelOf, wordOf }: Question & Pick<Saving<object>, 'labelOf' | 'wordOf'>) {
  const { conflict: text } = common;
  const shown = (key: string, value: unknown) => wordOf?.(key, value) ?? wordFor(value);
  return (
    <Dialog
      title={text.title}
      opened
      onClose={() => answer('neither')}
      submit={text.keepMine}
      onSubmit={() => answer('mine')}
      aside={
        <Button variant="default" onClick={() => answer('theirs')}>
          {text.takeTheirs}
        </Button>
      }
    >
      <p>{text.detail}</p>
      <Comparison titles={[text.field, text.mine, text.now, text.before]}>
        {met.map(({ key, before, now, mine }) => (
          <tr key={key}>
            <th scope="row">{labelOf(key)}</th>
            <td className="anywhere">{shown(key, mine)}</td>
            <td className="anywhere">{shown(key, now)}</td>
            <td className="anywhere muted">{shown(key, before)}</td>
          </tr>
        ))}
      </Comparison>
    </Dialog>
  );
}

function wordFor(value: unknown): string {
  if (value === undefined || value === null || value === '') return common.notSet;
  if (typeof value === 'boolean') return value ? common.on : common.off;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
