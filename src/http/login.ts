/** Where `terraform login` sends its person, and where it trades its code: a form in, JSON out, as OAuth has it. */
import type { FastifyInstance } from 'fastify';
import type { Services } from '../core/jsonapi/context.ts';
import { type Exchange, exchangeCode } from '../people/terraform-login/exchange.ts';

const form = 'application/x-www-form-urlencoded';
const bodyLimit_bytes = 8192;

export function answerLogin(app: FastifyInstance, { config, store }: Services): void {
  // The interface asks its person, and first who that is.
  app.get('/oauth/authorize', (request, reply) => {
    const query = request.url.split('?', 2)[1];
    return reply.header('cache-control', 'no-store').redirect(`/app/~/authorize${query ? `?${query}` : ''}`, 303);
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
