import type { ConfigInput } from './typing/config-input.ts'

/** Types a configuration file: an editor completes its keys and says what they mean. Returns what it is given. */
export function defineConfig(config: ConfigInput): ConfigInput {
  return config
}
