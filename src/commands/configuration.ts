import { type Config, loadConfig } from '../core/config.ts';

/** The configuration from the environment, its warnings printed. Throws ConfigError with all problems. */
export function configuration(): Config {
  const { config, warnings } = loadConfig();
  for (const warning of warnings) console.error(`Warning: ${warning}`);
  return config;
}
