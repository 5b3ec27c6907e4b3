/** The words that seeded records are named and described with. */

export const projectNames = [
  'platform',
  'payments',
  'identity',
  'search',
  'catalog',
  'checkout',
  'logistics',
  'analytics',
  'messaging',
  'mobile',
  'network',
  'observability',
] as const;

export const services = [
  'account',
  'billing',
  'cart',
  'delivery',
  'export',
  'fraud',
  'gateway',
  'inventory',
  'ledger',
  'media',
  'notify',
  'orders',
  'pricing',
  'queue',
  'reports',
  'session',
] as const;

export const parts = ['api', 'cache', 'cluster', 'cron', 'database', 'dns', 'storage', 'worker'] as const;
export const environments = ['production', 'staging', 'testing', 'development'] as const;
export const regions = ['eu-west', 'eu-north', 'us-east', 'us-west', 'ap-south', 'sa-east'] as const;
export const tiers = ['1', '2', '3'] as const;

export const tagNames = [
  'backed-up',
  'batch',
  'critical',
  'customer-facing',
  'deprecated',
  'experiment',
  'external',
  'gpu',
  'internal',
  'legacy',
  'migrating',
  'nightly',
  'on-call',
  'pci',
  'public',
  'regulated',
  'shared',
  'spot',
  'stateful',
  'stateless',
] as const;

export const disciplines = ['build', 'data', 'operations', 'quality', 'release', 'security', 'storage', 'web'] as const;

export const people = [
  'ada',
  'barbara',
  'chen',
  'dorothy',
  'edsger',
  'frances',
  'grace',
  'hedy',
  'ivan',
  'jean',
  'katherine',
  'leslie',
  'margaret',
  'niklaus',
  'ole',
  'peter',
  'radia',
  'shafi',
  'tony',
  'ursula',
] as const;

export const versionConstraints = ['1.5.7', '1.9.8', '1.12.2', '1.14.9', '~> 1.9', '>= 1.5, < 2.0'] as const;
