/** Where people go to sign in by a provider and come back to: pages of a browser, so what goes wrong is a page as well. */
import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../core/errors.ts';
import type { Services } from '../core/jsonapi/context.ts';
import type { GivenSession } from '../core/jsonapi/endpoint.ts';
import type { Deployment } from '../core/jsonapi/fields.ts';
import { limits } from '../core/limits.ts';
import type { SignInProvider } from '../core/sign-in-provider.ts';
import { countAddress } from '../people/attempts/attempts.ts';
import { addressesOf } from '../people/sign-in-providers/addresses.ts';
import { allProviders } from '../people/sign-in-providers/provider.ts';
import { admit, recordRefusal, type Visit } from '../people/single-sign-on/admit.ts';
import { takeArrival, takeAssertion } from '../people/single-sign-on/arrivals.ts';
import { openBegun, sealBegun, targetIn } from '../people/single-sign-on/begun.ts';
import { beginOpenId, finishOpenId } from '../people/single-sign-on/openid.ts';
import { SignInRefusal } from '../people/single-sign-on/refusal.ts';
import { beginSaml, readAnswer, samlMetadata } from '../people/single-sign-on/saml.ts';
import { isSecure, sessionCookie } from './session-cookie.ts';

const form = 'application/x-www-form-urlencoded';

type Kind = SignInProvider['kind'];

/** What is at hand for each step of a way. */
interface Step extends Visit {
  services: Services;
  provider: SignInProvider;
  request: FastifyRequest;
  reply: FastifyReply;
}

export function answerSingleSignOn(app: FastifyInstance, services: Services): void {
  const step = (kind: Kind | null, work: (step: Step) => Promise<unknown>) => stepOf(services, kind, work);
  app.get('/sso/:provider', step(null, begin));
  app.get('/sso/:provider/callback', step('openid-connect', comeBack));
  app.get('/sso/:provider/metadata', step('saml', describe));
  app.get('/sso/:provider/finish', step('saml', finish));
  app.register(async scope => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser<string>(
      form,
      { parseAs: 'string', bodyLimit: limits.samlAnswer_bytes.value },
      (_request, body, done) => done(null, new URLSearchParams(body)),
    );
    scope.post('/sso/:provider/assertions', step('saml', takeAnswer));
  });
}

/** A refusal leads to the page for signing in, which says why; what is no refusal of ours is a fault like any other. */
function stepOf(services: Services, kind: Kind | null, work: (step: Step) => Promise<unknown>) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const name = (request.params as { provider: string }).provider.slice(0, 64);
    const visit: Visit = {
      config: services.config,
      requestId: request.id,
      remoteAddress: request.ip,
      userAgent: request.headers['user-agent']?.slice(0, limits.userAgent_characters.value) ?? null,
    };
    const store = services.store.askedBy(request.asker!);
    reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    try {
      const provider = (await allProviders(store.read, services.config)).find(one => one.name === name);
      if (!provider || (kind && provider.kind !== kind)) throw new SignInRefusal('provider-unknown');
      return await work({ ...visit, services: { ...services, store }, provider, request, reply });
    } catch (error) {
      const refusal = refusalIn(error);
      await recordRefusal(store, name, refusal, visit);
      request.log.info({ provider: name, reason: refusal.reason }, 'single sign-on refused');
      return reply.redirect(`/app/~/sign-in?refused=${refusal.reason}`, 303);
    }
  };
}

function refusalIn(error: unknown): SignInRefusal {
  if (error instanceof SignInRefusal) return error;
  if (!(error instanceof ApiError)) throw error;
  const [{ name }] = error.faults;
  if (name === 'sign-in-limited') return new SignInRefusal('too-many-attempts');
  if (error.status >= 500) throw error;
  return new SignInRefusal('site-refused', name, error);
}

async function begin({ services: { config, deployment }, provider, request, reply }: Step) {
  const target = targetIn((request.query as { to?: unknown }).to);
  const addresses = addressesOf(deployment.publicUrl, provider);
  const isSaml = provider.kind === 'saml';
  const { address, ...kept } = isSaml
    ? await beginSaml(config, provider, addresses)
    : await beginOpenId(config, provider, addresses.callback);
  const begun = sealBegun(config, { provider: provider.name, target, ...kept });
  return reply.header('set-cookie', begunCookie(begun, deployment)).redirect(address, 303);
}

async function comeBack({ services, provider, request, reply, ...visit }: Step) {
  const { config, deployment, store } = services;
  const { target, openId } = openBegun(config, begunIn(request, deployment), provider.name);
  if (!openId) throw new SignInRefusal('not-begun-here');
  const attempt = await countAddress(store.read, config, visit.remoteAddress);
  const { callback } = addressesOf(deployment.publicUrl, provider);
  const address = new URL(callback);
  address.search = request.url.split('?', 2)[1] ?? '';
  const profile = await finishOpenId(config, provider, address, openId);
  const session = await admit(store, provider, profile, visit);
  await attempt.giveBack();
  return arrive(reply, session, target, deployment);
}

async function describe({ services: { config, deployment }, provider, reply }: Step) {
  const metadata = await samlMetadata(config, provider, addressesOf(deployment.publicUrl, provider));
  return reply.type('application/samlmetadata+xml').send(metadata);
}

/** Posted from a page of the provider, without a cookie of ours: the next request shows whose browser it is. */
async function takeAnswer({ services: { config, deployment, store }, provider, request, reply, remoteAddress }: Step) {
  const attempt = await countAddress(store.read, config, remoteAddress);
  const answer = (request.body as URLSearchParams | null)?.get('SAMLResponse') ?? '';
  const vouched = await readAnswer(config, provider, addressesOf(deployment.publicUrl, provider), answer);
  const ticket = await store.transaction(sql => takeAssertion(sql, config, provider.name, vouched));
  await attempt.giveBack();
  return reply.redirect(`/sso/${provider.name}/finish?ticket=${ticket}`, 303);
}

async function finish({ services, provider, request, reply, ...visit }: Step) {
  const { config, deployment, store } = services;
  const { target, requestId } = openBegun(config, begunIn(request, deployment), provider.name);
  const ticket = String((request.query as { ticket?: unknown }).ticket ?? '').slice(
    0,
    limits.claimText_characters.value,
  );
  const profile = await takeArrival(store.read, config, { provider: provider.name, requestId, ticket });
  return arrive(reply, await admit(store, provider, profile, visit), target, deployment);
}

function arrive(reply: FastifyReply, session: GivenSession, target: string, deployment: Deployment) {
  const cookies = [sessionCookie(session, deployment), begunCookie(null, deployment)];
  return reply.header('set-cookie', cookies).redirect(target, 303);
}

const begunName = (deployment: Deployment) => (isSecure(deployment) ? '__Host-terrane-sign-in' : 'terrane-sign-in');

function begunIn({ headers }: FastifyRequest, deployment: Deployment): string | undefined {
  return headers.cookie && parseCookie(headers.cookie)[begunName(deployment)];
}

/** Lax: the way back is a page that the provider sends the browser to. */
function begunCookie(begun: string | null, deployment: Deployment): string {
  return stringifySetCookie(begunName(deployment), begun ?? '', {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure(deployment),
    maxAge: begun === null ? 0 : limits.signInTime_ms.value / 1000,
  });
}
