import { useCan, useMe } from '../api/me.ts'
import type { WorkspaceFacts } from './workspace-types.ts'

/** Whether the signed-in person may add and delete files: in their own workspaces, or with permission in all. */
export function useMayChange({ principal }: WorkspaceFacts): boolean {
  const me = useMe().principal
  const mayCall = useCan('tools.call')
  const mayChangeAll = useCan('workspaces.write')
  return mayChangeAll || (mayCall && me.kind === principal.kind && me.id === principal.id)
}
