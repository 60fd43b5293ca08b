import type { ConfigInput } from './typing/config-input.ts'

/**
 * Types a configuration file: editors complete its keys and show their descriptions. Returns its
 * argument.
 */
export function defineConfig(config: ConfigInput): ConfigInput {
  return config
}
