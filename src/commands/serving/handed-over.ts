/**
 * Connections that were handed to a worker which dies before it takes them. node:cluster forgets those: they stay open in the
 * first process, and whoever made them waits for as long as their own patience lasts.
 */
import type { ChildProcess } from 'node:child_process';
import type { Worker } from 'node:cluster';

/** What the processes of node:cluster say to each other: a connection has a number, and its answer names that. */
interface Message {
  act?: string;
  seq?: number;
  ack?: number;
}

interface Handle {
  close: () => void;
}

/** Closes them with the end of the worker, so that who made them hears it at once, as those do whom it had already. */
export function closeWhatIsNotTaken({ process: child }: Worker): void {
  const handedOver = new Map<number, Handle>();
  const send = child.send.bind(child) as (message: Message, handle?: Handle, ...rest: unknown[]) => boolean;
  child.send = ((message: Message, handle?: Handle, ...rest: unknown[]) => {
    if (handle && message.act === 'newconn') handedOver.set(message.seq!, handle);
    return send(message, handle, ...rest);
  }) as ChildProcess['send'];
  child.on('internalMessage', ({ ack }: Message) => ack !== undefined && handedOver.delete(ack));
  child.once('exit', () => {
    for (const handle of handedOver.values()) handle.close();
  });
}
