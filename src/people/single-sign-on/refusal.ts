/** Why somebody is not signed in by a provider: the page for signing in has a sentence for each, the audit the rest. */

export type RefusalReason =
  | 'provider-unknown'
  | 'provider-unreachable'
  /** It answered, and what it said cannot be believed or read. */
  | 'provider-unusable'
  /** It said no, or the person did there. */
  | 'provider-refused'
  /** Another browser began it, or it was too long ago, or it is over already. */
  | 'not-begun-here'
  | 'address-missing'
  | 'address-unverified'
  | 'address-foreign'
  | 'account-missing'
  | 'account-taken'
  | 'site-refused'
  | 'too-many-attempts';

export class SignInRefusal extends Error {
  readonly reason: RefusalReason;
  /** `detail` is for the audit: it holds nothing that the provider keeps secret. */
  constructor(reason: RefusalReason, detail?: string, cause?: unknown) {
    super(detail ?? reason, { cause });
    this.reason = reason;
  }
}
