import type { WorkspaceDisk } from '../../core/host/workspace-disk.ts'
import type { WorkspacesConfig } from './config.ts'
import type { OpenWorkspaces } from './open-workspaces.ts'

interface SweepParts {
  workspaces: OpenWorkspaces
  disk(): Promise<WorkspaceDisk>
  config: WorkspacesConfig
  now(): number
  onWarning(message: string): void
}

const dayMs = 86_400_000
/** A workspace may be created a moment before its conversation is stored. */
const youngMs = 60_000
/** No draft takes longer to be written. */
const draftMs = 3_600_000
const atOnce = 100
const system = { kind: 'system', id: 'workspaces' } as const

/**
 * Removes workspaces that nobody has used for long or whose conversation was deleted, finishes
 * removals that a crash has interrupted, and cleans up after crashes.
 */
export function createSweep({ workspaces, disk, config, now, onWarning }: SweepParts) {
  const { store } = workspaces
  return async function removeUnused(): Promise<number> {
    // Without workspaces there is no folder, and none is made for looking.
    if (!(await store.hasAny())) return 0
    const { place, clean } = await disk()
    let removed = 0
    const attempt = async (id: string, step: () => Promise<unknown>) => {
      try {
        await step()
        removed += 1
      } catch (error) {
        onWarning(`The workspace ${id} could not be removed: ${String(error)}`)
      }
    }
    for (const row of await store.listRemoved(place, atOnce)) {
      await attempt(row.id, () => workspaces.finishRemoval(row))
    }
    const usedBeforeMs = now() - config.idleDays * dayMs
    const unused = { usedBeforeMs, createdBeforeMs: now() - youngMs, limit: atOnce }
    for (const { because, ...row } of await store.listUnused(place, unused)) {
      await attempt(row.id, () => workspaces.remove(row, system, because))
    }
    await clean({ olderThanMs: draftMs })
    return removed
  }
}
