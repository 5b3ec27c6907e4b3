/** What a screen shows of something that it asked for: nothing, a skeleton, the answer, or in its place the failure. */
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { ApiFailure } from '../api/failure.ts';
import { useAccount } from '../session/account.ts';
import { signOut } from '../session/sign-out.ts';
import { common } from '../texts/common.ts';
import { Copy } from './copy.tsx';
import { useCountDown } from './count-down.ts';
import { Icon } from './icon.tsx';

/** What was asked for, and how that stands: what every kind of query says of itself. */
export interface Asked<T> {
  data: T | undefined;
  isError: boolean;
  error: unknown;
  failureReason: unknown;
  failureCount: number;
  refetch: () => unknown;
}

interface Props<T> {
  query: Asked<T>;
  /** As high as the answer will be. */
  skeleton?: ReactNode;
  children: (answer: T) => ReactNode;
}

export function Loaded<T>({ query, skeleton, children }: Props<T>) {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.isError) return <Failure failure={query.error} retry={() => void query.refetch()} />;
  return (
    <>
      {mayPass(query.failureReason) && <Waits key={query.failureCount} seconds={query.failureReason.retryAfter ?? 1} />}
      {skeleton ?? <Skeleton />}
    </>
  );
}

const mayPass = (failure: unknown): failure is ApiFailure =>
  failure instanceof ApiFailure && [429, 503].includes(failure.status);

/** The server is busy, or was asked too much: it says when to come again, and that is counted down. */
function Waits({ seconds }: { seconds: number }) {
  const [left] = useCountDown(Math.ceil(seconds));
  return (
    <p className="muted" role="status">
      {common.failure.waits(left)}
    </p>
  );
}

export function Skeleton({ rows = 6 }: { rows?: number }) {
  return (
    <div className="stack" aria-busy="true">
      <span className="hidden-text">{common.loading}</span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows without an identity.
        <div key={row} className="bone" />
      ))}
    </div>
  );
}

/** In place of what failed: the API's own words, a way on, and the request to name when asking for help. */
export function Failure({ failure, retry }: { failure: unknown; retry?: () => void }) {
  if (failure instanceof ApiFailure && failure.status === 404) return <Nothing />;
  return <Notice failure={failure} words={wordsOf(failure)} {...(retry && { retry })} />;
}

/** The same of a change: what is gone cannot be changed, and where the server broke off nobody knows whether it was. */
export function Refusal({ failure }: { failure: unknown }) {
  return <Notice failure={failure} words={refusalOf(failure)} />;
}

interface Words {
  title: string;
  detail: string | undefined;
}

function Notice({ failure, words: { title, detail }, retry }: { failure: unknown; words: Words; retry?: () => void }) {
  const wait = mayPass(failure) ? failure.retryAfter : null;
  const requestId = failure instanceof ApiFailure ? failure.requestId : null;
  return (
    <div className="notice" data-kind="error" role="alert">
      <Icon name="warning" />
      <div className="grow">
        <p className="strong">{title}</p>
        {detail && <p>{detail}</p>}
        {wait !== null && !retry && <ComeAgain seconds={wait} />}
        <p className="line wrap">
          {retry && (
            <Button size="xs" variant="default" onClick={retry}>
              {common.tryAgain}
            </Button>
          )}
          {requestId && <RequestId id={requestId} />}
        </p>
      </div>
    </div>
  );
}

export function RequestId({ id }: { id: string }) {
  return (
    <span className="muted small">
      {common.request} <span className="mono">{id}</span>
      <Copy text={id} label="Copy request ID" />
    </span>
  );
}

function wordsOf(failure: unknown): Words {
  if (!(failure instanceof ApiFailure)) return { title: common.failure.general, detail: String(failure) };
  if (failure.status === 0) return { title: common.failure.offline, detail: common.failure.offlineDetail };
  const [fault] = failure.errors;
  return { title: fault?.title ?? common.failure.general, detail: fault?.detail };
}

export const isUnknown = (failure: unknown): boolean =>
  failure instanceof ApiFailure && (failure.status === 0 || (failure.status >= 500 && failure.status !== 503));

export function refusalOf(failure: unknown): Words {
  const { unknown, unknownDetail, goneAction } = common.failure;
  if (isUnknown(failure)) return { title: unknown, detail: unknownDetail };
  if (failure instanceof ApiFailure && failure.status === 404) return { title: goneAction, detail: undefined };
  return wordsOf(failure);
}

function ComeAgain({ seconds }: { seconds: number }) {
  const [left] = useCountDown(Math.ceil(seconds));
  return <p role="status">{left > 0 ? common.failure.comeAgain(left) : common.failure.comeNow}</p>;
}

/** One screen for two causes, as the API gives one answer for both. */
function Nothing() {
  const account = useAccount();
  const username = account.data?.data.attributes.username;
  return (
    <div className="empty">
      <h2>{common.failure.gone}</h2>
      <p>
        {common.failure.goneDetail} <b>{username}</b>.
      </p>
      <Button variant="default" onClick={() => void signOut()}>
        {common.failure.switchAccount}
      </Button>
    </div>
  );
}
