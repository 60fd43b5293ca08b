import { compileGlob } from '../kernel/text/glob.ts'
import { cacheByIdentity } from '../kernel/identity-cache.ts'

/** A set of permissions. */
export interface PermissionSet {
  has(permission: string): boolean
}

/** Patterns over `resource.action`: exact, `tools.*`, `*`. Cached by the list's identity. */
export const compilePermissions = cacheByIdentity((patterns: readonly string[]): PermissionSet => {
  const exact = new Set(patterns)
  const globs = patterns.filter((pattern) => pattern.includes('*')).map(compileGlob)
  return { has: (permission) => exact.has(permission) || globs.some((fits) => fits(permission)) }
})

/**
 * The intersection of two lists: patterns of either that the other holds in the same or a wider
 * form.
 */
export function commonPermissions(one: readonly string[], other: readonly string[]): string[] {
  const [left, right] = [compilePermissions(one), compilePermissions(other)]
  const both = [...one.filter((held) => right.has(held)), ...other.filter((held) => left.has(held))]
  return [...new Set(both)]
}
