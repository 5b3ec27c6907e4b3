import { type Config, loadConfig } from '../core/config.ts';

/** The configuration from the environment, its warnings printed. Throws ConfigError with all problems. */
export function configuration(): Config {
  return warned(loadConfig());
}

/** The configuration of what was loaded, its warnings printed. */
export function warned({ config, warnings }: ReturnType<typeof loadConfig>): Config {
  for (const warning of warnings) console.error(`Warning: ${warning}`);
  return config;
}
