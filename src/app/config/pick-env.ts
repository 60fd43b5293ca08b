import { ownValue } from '../../core/kernel/json/json-type.ts'

/** Of these variables those that are set; empty counts as not set. */
export function pickEnv(
  env: Readonly<Record<string, string | undefined>>,
  names: readonly string[],
): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = ownValue(env, name)
      return value ? [[name, value]] : []
    }),
  )
}
