/** A mirror of engines for tests: on loopback, with archives of its own that its own key signs. */
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { crc32 } from 'node:zlib';
import * as openpgp from 'openpgp';
import { platform } from '../../agent/download.ts';

export interface Mirror {
  address: string;
  /** Armored. */
  key: string;
  /** By path; a test may take away and change what it likes. */
  files: Map<string, Buffer>;
  /** Paths whose content breaks off in the middle. */
  cut: Set<string>;
  /** What was asked for, in its order. */
  asked: string[];
  /** Publishes an engine that is this text. */
  publish: (version: string, text: string) => Promise<void>;
  close: () => void;
}

export async function startMirror(): Promise<Mirror> {
  const { privateKey, publicKey } = await openpgp.generateKey({ userIDs: [{ name: 'A mirror' }], format: 'object' });
  const files = new Map<string, Buffer>();
  const cut = new Set<string>();
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url!);
    const file = files.get(request.url!);
    if (!file || !cut.has(request.url!)) return response.writeHead(file ? 200 : 404).end(file);
    response.writeHead(200, { 'content-length': file.length });
    return response.write(file.subarray(0, file.length / 2), () => response.destroy());
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const publish = async (version: string, text: string) => {
    const archive = `terraform_${version}_${platform()}.zip`;
    const content = zipOf({ 'LICENSE.txt': 'None.', terraform: text });
    const sums = Buffer.from(`${createHash('sha256').update(content).digest('hex')}  ${archive}\n`);
    const message = await openpgp.createMessage({ binary: new Uint8Array(sums) });
    const signature = await openpgp.sign({ message, signingKeys: privateKey, detached: true, format: 'binary' });
    const base = `/${version}/terraform_${version}_SHA256SUMS`;
    files.set(base, sums).set(`${base}.72D7468F.sig`, Buffer.from(signature as Uint8Array));
    files.set(`/${version}/${archive}`, content);
  };
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    key: publicKey.armor(),
    files,
    cut,
    asked,
    publish,
    close: () => server.close(),
  };
}

/** Files as they are, uncompressed. */
function zipOf(files: Record<string, string>): Buffer {
  const [bodies, directory]: [Buffer[], Buffer[]] = [[], []];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const [content, path] = [Buffer.from(text), Buffer.from(name)];
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(content.length, 14);
    common.writeUInt32LE(content.length, 18);
    common.writeUInt16LE(path.length, 22);
    const body = Buffer.concat([Buffer.from('PK\u0003\u0004'), common, path, content]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\u0000'), common, place, path]));
    bodies.push(body);
    offset += body.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(directory.length, 4);
  end.writeUInt16LE(directory.length, 6);
  end.writeUInt32LE(entries.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...bodies, entries, Buffer.from('PK\u0005\u0006'), end]);
}
