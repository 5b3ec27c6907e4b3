/** What the first process of a server and its workers say to each other. */
import type { Connection } from '../../core/store/store.ts';
import type { OwnFigures } from '../../http/metrics/metrics.ts';

/** What a worker cannot know from its environment. */
export interface Start {
  connection: Connection;
  tokenPepper: string;
  encryptionKey: string;
  port: number;
}

export type ToWorker =
  | { kind: 'start'; start: Start }
  | { kind: 'stop'; signal: NodeJS.Signals | undefined }
  | { kind: 'tell-figures'; question: number }
  | { kind: 'all-figures'; question: number; text: string };

export type FromWorker =
  // What is said to it before it listens for that is lost.
  | { kind: 'ready' }
  | { kind: 'listening' }
  | { kind: 'figures'; question: number; figures: OwnFigures }
  | { kind: 'ask-all-figures'; question: number };

/** Answers to questions that were sent, by their numbers. Each is waited for so long. */
export function questions<Answer>(patience_ms: number) {
  const waiting = new Map<number, (answer: Answer | null) => void>();
  let last = 0;
  return {
    /** The answer to what `send` sends; null where none comes in time. */
    ask: (send: (question: number) => void): Promise<Answer | null> => {
      last += 1;
      const question = last;
      return new Promise(resolve => {
        const done = (answer: Answer | null) => {
          clearTimeout(timer);
          waiting.delete(question);
          resolve(answer);
        };
        const timer = setTimeout(() => done(null), patience_ms);
        waiting.set(question, done);
        send(question);
      });
    },
    answer: (question: number, answer: Answer) => waiting.get(question)?.(answer),
  };
}
