/** §2.2 content that is longer than it may be, from clients that read no answer before they have sent everything. */
import { connect } from 'node:net';
import { beforeAll, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import { bodyOf, organization, type TestOrganization } from '../../../test/builders/records.ts';
import { workspace } from '../../../test/builders/workspace.ts';
import { useLimits } from '../../../test/limits.ts';
import { collect, parseAnswers, useListening } from '../../../test/running/sockets.ts';

const mebibyte = 1024 * 1024;
useLimits({ configuration_bytes: 2 * mebibyte });
const app = useApp();
const server = useListening(app);
let acme: TestOrganization;
beforeAll(async () => {
  acme = await organization(app);
});

const pieces = 24;
const plain = (piece: Buffer) => piece;
const chunk = (piece: Buffer) =>
  Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]);

test.each([
  ['says how long it is', `content-length: ${pieces * mebibyte}`, plain],
  ['says nothing of its length', 'transfer-encoding: chunked', chunk],
])('§2.2 content past the limit that %s → 413 when all is sent, and nothing is kept', async (_what, length, framed) => {
  const id = await workspace(app, acme);
  const asked = bodyOf('configuration-versions', { 'auto-queue-runs': false });
  const { data } = await app.post(`workspaces/${id}/configuration-versions`, acme.owner.token, asked);
  const { pathname, search } = new URL(data.attributes['upload-url']);
  const socket = connect(server.port, '127.0.0.1');
  const received = collect(socket);
  const send = (bytes: Buffer | string) =>
    new Promise<void>((resolve, reject) => socket.write(bytes, fault => (fault ? reject(fault) : resolve())));
  await send(`PUT ${pathname}${search} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n${length}\r\n\r\n`);
  for (let sent = 0; sent < pieces; sent += 1) await send(framed(Buffer.alloc(mebibyte)));
  await send(framed(Buffer.alloc(0)));
  const [answer] = parseAnswers(await received);
  const [fault] = answer!.document.errors;
  expect([answer!.status, fault.detail]).toEqual([413, `A body holds at most ${2 * mebibyte} bytes.`]);
  const [blobs] = await app.store.read`select count(*) as n from blobs`;
  expect(blobs!['n']).toBe(0);
  const shown = await app.get(`configuration-versions/${data.id}`, acme.owner.token);
  expect(shown.data.attributes.status).toBe('pending');
});
