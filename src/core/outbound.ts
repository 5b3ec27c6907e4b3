/**
 * The one way out: requests to addresses that other people chose, of providers, receivers and hosts of code. What such a
 * name stands for is looked up once, judged, and that is what is connected to; a name that means something else a moment
 * later changes nothing. Private networks, this machine and what clouds keep at link-local addresses are not reached.
 */
import dns, { type LookupAddress, type LookupOptions } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import ipaddr from 'ipaddr.js';
import { Agent, fetch } from 'undici';
import type { Config } from './config.ts';
import { limits } from './limits.ts';
import { ProxyError, type Proxying, proxyFor, throughProxy } from './outbound-proxy.ts';
import { traceHeaders } from './trace.ts';

export type OutboundFailure =
  /** No address of http or https, or one with a name and a password in it. */
  | 'unusable'
  /** A network that the operator has not allowed. */
  | 'refused'
  /** Nobody there, not under that name, or no TLS that can be trusted. */
  | 'unreachable'
  | 'too-slow'
  | 'too-large';

/** Why there is no answer, in a sentence for whoever chose the address. It quotes the host and no more. */
export class OutboundError extends Error {
  readonly failure: OutboundFailure;
  constructor(failure: OutboundFailure, sentence: string, cause?: unknown) {
    super(sentence, { cause });
    this.failure = failure;
  }
}

export interface OutboundRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array | URLSearchParams;
  /** From the look-up of the name to the last byte of the answer. */
  time_ms?: number;
  /** The longest answer, decompressed. */
  most_bytes?: number;
}

type Allowing = Proxying & Partial<Pick<Config, 'allowPrivateAddresses' | 'proxyNames'>>;

/**
 * Asks an address outside. The answer may have any status: a redirect is an answer like others and is not followed.
 * Throws OutboundError, also out of the body, which is bounded and comes in time, or ends so.
 */
export async function fetchOutside(
  config: Allowing,
  address: string | URL,
  request: OutboundRequest = {},
): Promise<Response> {
  const { allowPrivateAddresses: allowed = [] } = config;
  const { time_ms = limits.outbound_ms.value, most_bytes = limits.outboundAnswer_bytes.value, ...sent } = request;
  const url = usable(address, allowed);
  const failed = (error: unknown) => outboundError(error, url, time_ms);
  try {
    const answer = await fetch(url, {
      ...sent,
      headers: { ...sent.headers, ...traceHeaders() },
      redirect: 'manual',
      signal: AbortSignal.timeout(time_ms),
      dispatcher: guardedAgent(url, config, time_ms),
    });
    const { status, statusText, body } = answer;
    const bounded = body && ReadableStream.from(boundedPieces(body, most_bytes, url.host, failed));
    return new Response(bounded, { status, statusText, headers: [...answer.headers] });
  } catch (error) {
    throw failed(error);
  }
}

/**
 * What the host of an address stands for, judged, for a program that connects by itself: https, http where the operator
 * allowed that network, or ssh. Empty where it needs nothing looked up: it goes through a proxy, or to an address. Throws OutboundError.
 */
export async function judgedAddresses(config: Allowing, address: string): Promise<string[]> {
  const { allowPrivateAddresses: allowed = [], proxyNames } = config;
  const url = new URL(address);
  const proxy = proxyFor(url, config);
  if (isLiteral(url, allowed) || (proxy && proxyNames === 'passed-on')) return [];
  const time_ms = limits.outbound_ms.value;
  const late = new AbortController();
  try {
    const found = await Promise.race([
      dns.promises.lookup(url.hostname, { all: true }),
      sleep(time_ms, undefined, { signal: late.signal }).then(() => {
        throw new OutboundError('too-slow', `The name ${url.hostname} could not be looked up in time.`);
      }),
    ]);
    const addresses = found.map(one => one.address);
    requireOutside(url, addresses, allowed);
    return proxy ? [] : addresses;
  } catch (error) {
    throw outboundError(error, url, time_ms);
  } finally {
    late.abort();
  }
}

function usable(address: string | URL, allowed: readonly string[]): URL {
  const url = URL.canParse(String(address)) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) {
    throw new OutboundError('unusable', 'The address must be an absolute https address without a name and a password.');
  }
  isLiteral(url, allowed);
  return url;
}

/** Names are judged once they are looked up; addresses are never looked up. Throws OutboundError of one that is refused. */
function isLiteral(url: URL, allowed: readonly string[]): boolean {
  const literal = url.hostname.replace(/^\[|\]$/g, '');
  if (!isIP(literal)) return false;
  requireOutside(url, [literal], allowed);
  return true;
}

/** Of one request: a connection that is kept would outlive what was found out about its address. */
function guardedAgent(url: URL, config: Allowing, time_ms: number): Agent {
  const { allowPrivateAddresses: allowed = [], proxyNames } = config;
  const proxy = proxyFor(url, config);
  const guardedLookup: LookupFunction = (host, options: LookupOptions, done) =>
    dns.lookup(host, { ...options, all: true }, (error, found: LookupAddress[]) => {
      if (error) return done(error, []);
      try {
        requireOutside(
          url,
          found.map(one => one.address),
          allowed,
        );
      } catch (refusal) {
        return done(refusal as Error, []);
      }
      const [first] = found;
      return options.all ? done(null, found) : done(null, first!.address, first!.family);
    });
  const connect = proxy
    ? throughProxy(proxy, proxyNames === 'passed-on' ? null : guardedLookup, time_ms)
    : { lookup: guardedLookup };
  return new Agent({ connect, pipelining: 0 });
}

/** Throws unless every one of them may be reached: who answers to a name with several means one of them, and not the others. */
function requireOutside({ host, protocol }: URL, addresses: readonly string[], allowed: readonly string[]): void {
  const inside = addresses.filter(address => !isAllowed(address, allowed));
  if (inside.some(address => !isPublic(judged(address)))) {
    throw new OutboundError(
      'refused',
      `${host} is at an address of a private network, which this site does not reach.`,
    );
  }
  if (protocol === 'http:' && inside.length > 0) {
    throw new OutboundError('refused', `${host} is reached by https only.`);
  }
}

function isAllowed(address: string, allowed: readonly string[]): boolean {
  const one = judged(address);
  return allowed.some(network => {
    if (network === 'all') return true;
    const [begin, bits] = network.includes('/') ? ipaddr.parseCIDR(network) : wholeAddress(network);
    return begin.kind() === one.kind() && one.match(begin, bits);
  });
}

function wholeAddress(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const address = ipaddr.parse(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

/** Of IPv6, only the part that is given to networks of the world; `range` knows what of it is kept for other uses. */
function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  const isGiven = address.kind() === 'ipv4' || address.match(ipaddr.parseCIDR('2000::/3'));
  return isGiven && address.range() === 'unicast';
}

/** The address of IPv4 that one of IPv6 stands for, where it does: mapped, or behind a translator of its network. */
function judged(address: string): ipaddr.IPv4 | ipaddr.IPv6 {
  const one = ipaddr.process(address);
  return one.range() === 'rfc6052' ? ipaddr.fromByteArray(one.toByteArray().slice(12)) : one;
}

async function* boundedPieces(
  body: AsyncIterable<Uint8Array>,
  most_bytes: number,
  host: string,
  failed: (error: unknown) => OutboundError,
): AsyncGenerator<Uint8Array> {
  let length = 0;
  try {
    for await (const piece of body) {
      length += piece.length;
      if (length > most_bytes) {
        throw new OutboundError('too-large', `${host} answered with more than ${most_bytes} bytes.`);
      }
      yield piece;
    }
  } catch (error) {
    throw failed(error);
  }
}

function outboundError(error: unknown, { host }: URL, time_ms: number): OutboundError {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof OutboundError) return at;
    if (at instanceof ProxyError) return new OutboundError('unreachable', at.message, error);
    if (at.name === 'TimeoutError') {
      return new OutboundError('too-slow', `${host} took longer than ${time_ms / 1000} seconds.`, error);
    }
  }
  return new OutboundError('unreachable', `${host} cannot be reached, or breaks off.`, error);
}
