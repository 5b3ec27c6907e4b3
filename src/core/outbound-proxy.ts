/**
 * The way out of a network that lets nobody out by themselves: `HTTPS_PROXY`. The proxy is asked for the address that was judged
 * here, so that what a name means to it changes nothing; TLS is spoken with whoever has the name, through it.
 */
import { isIPv6, type LookupFunction, type Socket } from 'node:net';
import { buildConnector, Client } from 'undici';
import type { Config } from './config.ts';

export type Proxying = Pick<Config, 'httpsProxy' | 'noProxy'>;

/** Pure: the proxy for an address. What is spoken to without TLS is of a network that the operator allowed, and needs none. */
export function proxyFor({ protocol, host, hostname }: URL, { httpsProxy, noProxy = [] }: Proxying): URL | undefined {
  if (!httpsProxy || protocol !== 'https:') return undefined;
  const names = [host, hostname].map(name => `.${name}`);
  const isDirect = noProxy.some(
    one => one === '*' || names.some(name => name.endsWith(`.${one.replace(/^\*?\./, '')}`)),
  );
  return isDirect ? undefined : new URL(httpsProxy);
}

/** Connects through `proxy` to what `lookup` finds; without it the proxy is told the name. */
export function throughProxy(proxy: URL, lookup: LookupFunction | null, time_ms: number): buildConnector.connector {
  const speakTls = buildConnector({ timeout: time_ms });
  return (options, done) => {
    const toTarget = (address: string) =>
      opened(proxy, `${isIPv6(address) ? `[${address}]` : address}:${options.port || 443}`, time_ms).then(
        httpSocket => speakTls({ ...options, httpSocket }, done),
        error => done(error, null),
      );
    const name = options.hostname.replace(/^\[|\]$/g, '');
    if (!lookup) return void toTarget(name);
    lookup(name, {}, (error, address) => (error ? done(error, null) : void toTarget(address as string)));
  };
}

/** Throws what failed of the proxy, in a sentence. */
async function opened(proxy: URL, target: string, time_ms: number): Promise<Socket> {
  const { origin, username, password } = proxy;
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const door = new Client(origin, { connect: { timeout: time_ms } });
  const { statusCode, socket } = await door
    .connect({
      path: target,
      headers: {
        host: target,
        ...(username && { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` }),
      },
      signal: AbortSignal.timeout(time_ms),
    })
    .catch(cause => {
      void door.destroy();
      throw new ProxyError('The proxy of this site cannot be reached.', { cause });
    });
  if (statusCode === 200) return socket as Socket;
  socket.destroy();
  throw new ProxyError(`The proxy of this site lets nobody out to ${target}: it answers ${statusCode}.`);
}

/** Of the operator's own proxy, not of whoever is asked. */
export class ProxyError extends Error {}
