/** Where `terraform login` sends its person, and where it trades its code: a form in, JSON out, as OAuth has it. */
import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Services } from '../core/jsonapi/decide.ts';
import { type Exchange, exchangeCode } from '../people/terraform-login/exchange.ts';
import { loginPage } from './login-page.ts';

const form = 'application/x-www-form-urlencoded';
const bodyLimit_bytes = 8192;

export function answerLogin(app: FastifyInstance, { config, store }: Services): void {
  app.get('/oauth/authorize', (_request, reply) => {
    const nonce = randomBytes(16).toString('base64url');
    const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; connect-src 'self'`;
    return reply
      .headers({
        // In a frame of another site somebody could be made to press Allow.
        'content-security-policy': `${policy}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
        'referrer-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
      })
      .type('text/html; charset=utf-8')
      .send(loginPage(nonce));
  });
  app.register(async scope => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(form, { parseAs: 'string', bodyLimit: bodyLimit_bytes }, (_request, body, done) => {
      done(null, Object.fromEntries(new URLSearchParams(body as string)));
    });
    scope.post('/oauth/token', async (request, reply) => {
      const from = { requestId: request.id, remoteAddress: request.ip };
      const exchanged = await exchangeCode(store, config, (request.body ?? {}) as Exchange, from);
      reply.header('cache-control', 'no-store').type('application/json');
      if ('error' in exchanged) return reply.code(400).send({ error: exchanged.error });
      return reply.send({ access_token: exchanged.token, token_type: 'bearer', expires_in: exchanged.lifetime_s });
    });
  });
}
