import { ToolError } from '../kernel/errors.ts'
import { compileGlob } from '../kernel/text/glob.ts'
import { findNearest } from '../patterns/nearest-name.ts'
import { permissionNames } from './roles.ts'

const scopePattern = /^[a-z*][a-z0-9_*-]*(?:\.[a-z0-9_*-]+)*$/
const maxLength = 100

/**
 * Checks the scopes of a key. A malformed one is refused; one that grants nothing today gets a
 * warning and is kept, because its tool may be added later. Returns the warnings.
 */
export function checkScopes(
  scopes: readonly string[],
  toolPermissions: Iterable<string>,
): string[] {
  const known = [...new Set<string>([...permissionNames, ...toolPermissions])]
  return scopes.flatMap((scope) => {
    if (!isScope(scope)) throw malformed(scope)
    const fits = compileGlob(scope)
    if (known.some(fits)) return []
    const near = findNearest(scope, known)
    const hint = near === undefined ? '' : ` Did you mean ${near}?`
    return [`The scope ${scope} grants nothing now: there is no such permission.${hint}`]
  })
}

function isScope(scope: unknown): scope is string {
  return typeof scope === 'string' && scope.length <= maxLength && scopePattern.test(scope)
}

function malformed(scope: unknown): ToolError {
  return new ToolError(
    'invalid_request',
    `${JSON.stringify(String(scope).slice(0, maxLength))} is not a valid scope`,
    { fix: 'A scope is a permission such as tools.call, or a pattern such as billing.* or *.' },
  )
}
