/** What is said to people on their way in by others: single sign-on, and the command line. */

export const singleSignOn = {
  by: (label: string) => `Continue with ${label}`,
  or: 'or',
  otherwise: 'This did not work. Try again.',
  refused: {
    'provider-unknown': 'This way to sign in does not exist any more.',
    'provider-unreachable': 'The provider does not answer. Try again in a moment, or sign in another way.',
    'provider-unusable': 'The provider’s answer cannot be used. Try again; if it stays so, tell your administrator.',
    'provider-refused': 'The provider did not let you in.',
    'not-begun-here': 'That took too long, or was begun in another browser or tab. Try again.',
    'address-missing':
      'The provider does not tell your email address, so there is no account to find. Tell your administrator.',
    'address-unverified': 'The provider does not vouch for your email address. Tell your administrator.',
    'address-foreign': 'Addresses of your domain are not let in by this provider.',
    'account-missing': 'You have no account here yet. Ask your administrator for one.',
    'account-taken':
      'The account with your address belongs to another person of the provider. Tell your administrator.',
    'site-refused': 'You are known, but this site could not take you in. Tell your administrator.',
    'too-many-attempts': 'Too many attempts. Try again in a few minutes.',
  },
} as const;

export const authorize = {
  title: 'Allow the command line?',
  asks: (who: string) =>
    `terraform on your machine asks for a token. It acts as ${who}, with everything ${who} may do.`,
  noSession:
    'terraform on your machine asks for a token. You are here by an API token; sign in with a password or by a provider to allow it.',
  allow: 'Allow',
  refuse: 'Refuse',
  allowed: 'Allowed. The terminal goes on.',
  refused: 'Refused. Stop the command line with Ctrl-C.',
} as const;

export const signedIn = {
  title: 'You are signed in',
  detail: 'The page that you came from goes on. This window can be closed.',
  stay: 'Go on here',
} as const;
