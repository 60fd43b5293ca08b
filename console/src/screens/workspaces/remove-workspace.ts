import type { QueryClient } from '@tanstack/react-query'
import { confirm, notifyFailure, notifySuccess } from '../../ui/notify.ts'
import { removeWorkspace } from '../../workspace/workspace-queries.ts'
import type { WorkspaceFacts } from '../../workspace/workspace-types.ts'

/** Removes a workspace once somebody has confirmed it. Returns true if it was removed. */
export async function removeAfterAsking(
  { id, files }: WorkspaceFacts,
  queryClient: QueryClient,
): Promise<boolean> {
  const isSure = await confirm({
    title: 'Remove this workspace?',
    message: `${files === 1 ? 'Its file is' : `All ${files} files are`} deleted and its processes are stopped. The session gets an empty workspace when it needs one. This can’t be undone.`,
    confirmLabel: 'Remove',
    isDangerous: true,
  })
  if (!isSure) return false
  try {
    await removeWorkspace(id)
    notifySuccess('Workspace removed')
  } catch (error) {
    notifyFailure(error)
    return false
  } finally {
    void queryClient.invalidateQueries({ queryKey: ['workspaces'] })
  }
  return true
}
