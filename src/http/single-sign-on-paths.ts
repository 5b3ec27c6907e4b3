/** What the description of the API says of single sign-on: pages that browsers go through, which no program asks for. */

const atRoot = { servers: [{ url: '/' }] };
const parameters = [{ name: 'provider', in: 'path', required: true, schema: { type: 'string' } }];
const onward = { 303: { description: 'Where to go on: the provider, the interface, or its page for signing in' } };

const page = (operationId: string, summary: string) => ({
  operationId,
  summary,
  security: [],
  parameters,
  responses: onward,
});

export const singleSignOnPathItems = {
  '/sso/{provider}': { ...atRoot, get: page('sso-begin', 'Begin to sign in by a provider') },
  '/sso/{provider}/callback': { ...atRoot, get: page('sso-callback', 'Come back from a provider of OpenID Connect') },
  '/sso/{provider}/assertions': {
    ...atRoot,
    post: {
      ...page('sso-assertions', 'Come back from a provider of SAML'),
      requestBody: {
        required: true,
        content: { 'application/x-www-form-urlencoded': { schema: { type: 'object' } } },
      },
    },
  },
  '/sso/{provider}/finish': { ...atRoot, get: page('sso-finish', 'Arrive, once a provider of SAML was believed') },
  '/sso/{provider}/metadata': {
    ...atRoot,
    get: {
      ...page('sso-metadata', 'What a provider of SAML is told of this site'),
      responses: {
        200: {
          description: 'The metadata',
          content: { 'application/samlmetadata+xml': { schema: { type: 'string' } } },
        },
        ...onward,
      },
    },
  },
};
