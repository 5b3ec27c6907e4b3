/** A server that takes what Terrane sends to addresses of other people, on this machine. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Document } from '../app.ts';

/** What an app needs to be allowed to reach one. */
export const reachable = { TERRANE_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8' };

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  /** As it came. */
  text: string;
  json: Document;
}

export interface Receiver {
  url: string;
  received: Received[];
  /** What it answers from now on; 200 until then. A promise makes it wait. */
  answer: (status: number | (() => Promise<number>), body?: string, headers?: Record<string, string>) => void;
  close: () => void;
}

export async function receiver(): Promise<Receiver> {
  const received: Received[] = [];
  let next: { status: number | (() => Promise<number>); body: string; headers: Record<string, string> };
  const answer: Receiver['answer'] = (status, body = 'taken', headers = {}) => {
    next = { status, body, headers };
  };
  answer(200);
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', piece => (text += piece));
    request.on('end', async () => {
      received.push({ path: request.url ?? '', headers: request.headers, text, json: JSON.parse(text) });
      const { status, body, headers } = next;
      response.writeHead(typeof status === 'number' ? status : await status(), headers).end(body);
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}/hook`, received, answer, close };
}
