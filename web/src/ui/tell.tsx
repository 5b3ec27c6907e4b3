/** Messages that come up and go by themselves. They only repeat what the screen shows, or offer a way back. */
import { Button } from '@mantine/core';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { ApiFailure } from '../api/failure.ts';
import { common } from '../texts/common.ts';
import { Icon } from './icon.tsx';
import { refusalOf } from './loaded.tsx';

interface Way {
  label: string;
  onClick: () => void;
}

interface Message {
  id: number;
  title: string;
  detail?: string;
  way?: Way | undefined;
  /** Of what failed: it stays until somebody closes it. */
  isFailure?: boolean;
}

const shown_ms = 6000;
/** Of more than these the oldest goes. */
const mostShown = 5;

let messages: readonly Message[] = [];
let last = 0;
const listeners = new Set<() => void>();

function change(next: readonly Message[]): void {
  messages = next;
  for (const listener of listeners) listener();
}

const show = (message: Omit<Message, 'id'>) => {
  last += 1;
  change([...messages, { ...message, id: last }].slice(-mostShown));
};
const hide = (id: number) => change(messages.filter(message => message.id !== id));

export function tell(title: string, way?: Way): void {
  show({ title, way });
}

/** For an act that has no dialog: its refusal, in the API's words, with the request to name. */
export function tellFailure(caught: unknown): void {
  const { title, detail } = refusalOf(caught);
  const requestId = caught instanceof ApiFailure ? caught.requestId : null;
  const words = [detail, requestId && `${common.request} ${requestId}`].filter(Boolean).join(' ');
  show({ title, detail: words, isFailure: true });
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function Messages() {
  const shown = useSyncExternalStore(subscribe, () => messages);
  return (
    <section className="messages" aria-label={common.messages}>
      <div role="status">
        {shown.map(message => !message.isFailure && <OneMessage key={message.id} message={message} />)}
      </div>
      <div role="alert">
        {shown.map(message => message.isFailure && <OneMessage key={message.id} message={message} />)}
      </div>
    </section>
  );
}

/** It waits while somebody points at it, or has gone to it by keyboard. */
function OneMessage({ message: { id, title, detail, way, isFailure } }: { message: Message }) {
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (isHeld || isFailure) return;
    const timer = setTimeout(() => hide(id), shown_ms);
    return () => clearTimeout(timer);
  }, [id, isHeld, isFailure]);
  const take = () => {
    hide(id);
    way?.onClick();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: nothing is done by it; it only stays while somebody reads.
    <div
      className="message"
      data-kind={isFailure ? 'error' : undefined}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <div className="grow">
        <p className="strong">{title}</p>
        {detail && <p className="muted anywhere">{detail}</p>}
        {way && (
          <Button size="xs" variant="default" onClick={take}>
            {way.label}
          </Button>
        )}
      </div>
      <button type="button" className="copy" aria-label={common.close} onClick={() => hide(id)}>
        <Icon name="x" size={14} />
      </button>
    </div>
  );
}
