import { freeName } from './secret-fields.ts'

/**
 * Two sets of secrets as one, none lost: where both have a value under the same name, the second gets
 * a name of its own.
 */
export function joinSecrets(
  first: Readonly<Record<string, string>>,
  second: Readonly<Record<string, string>>,
): Record<string, string> {
  const all = new Map(Object.entries(first))
  for (const [name, value] of Object.entries(second)) all.set(freeName(all, name, value), value)
  return Object.fromEntries(all)
}
