import { freeName } from './secret-fields.ts'

/**
 * Merges two sets of secrets without losing any: if both have a value under the same name, the
 * second is renamed.
 */
export function joinSecrets(
  first: Readonly<Record<string, string>>,
  second: Readonly<Record<string, string>>,
): Record<string, string> {
  const all = new Map(Object.entries(first))
  for (const [name, value] of Object.entries(second)) all.set(freeName(all, name, value), value)
  return Object.fromEntries(all)
}
