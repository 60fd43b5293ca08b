import { compileGlob } from './glob.ts'
import { cacheByIdentity } from './identity-cache.ts'

/** The permissions somebody holds. */
export interface PermissionSet {
  has(permission: string): boolean
}

/** Patterns over `resource.action`: exact, `tools.*`, `*`. Cached by the list's identity. */
export const compilePermissions = cacheByIdentity((patterns: readonly string[]): PermissionSet => {
  const exact = new Set(patterns)
  const globs = patterns.filter((pattern) => pattern.includes('*')).map(compileGlob)
  return { has: (permission) => exact.has(permission) || globs.some((fits) => fits(permission)) }
})
