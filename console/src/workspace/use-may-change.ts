import { useCan, useMe } from '../api/me.ts'
import type { WorkspaceFacts } from './workspace-types.ts'

/**
 * Whether the signed-in person may add and delete files: in their own workspaces, or with permission
 * in all, unless they are read-only.
 */
export function useMayChange({ principal, mode }: WorkspaceFacts): boolean {
  const me = useMe().principal
  const mayCall = useCan('tools.call')
  const mayChangeAll = useCan('workspaces.write')
  if (mode === 'read-only') return false
  return mayChangeAll || (mayCall && me.kind === principal.kind && me.id === principal.id)
}
