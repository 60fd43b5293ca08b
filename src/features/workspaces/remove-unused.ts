import type { WorkspaceDisk } from '../../core/host/workspace-disk.ts'
import type { WorkspacesConfig } from './config.ts'
import type { OpenWorkspaces } from './open-workspaces.ts'

interface SweepParts {
  workspaces: OpenWorkspaces
  disk(): Promise<WorkspaceDisk>
  config: WorkspacesConfig
  isTenantOpen(slug: string): Promise<boolean>
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
export function createSweep(parts: SweepParts) {
  const { workspaces, disk, config, now, onWarning } = parts
  const { store } = workspaces
  let hasBeenUsed = false
  return async function removeUnused(): Promise<number> {
    // Without workspaces there is no folder, and none is made for looking.
    hasBeenUsed ||= await store.hasAny()
    if (!hasBeenUsed) return 0
    const { place, clean, remove } = await disk()
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
    for (const id of await findLeft(parts)) await attempt(id, () => remove(id))
    await clean({ olderThanMs: draftMs })
    return removed
  }
}

/**
 * The folders of deleted tenants, and empty ones that a crash has left. Files without a row are
 * kept as long as their tenant is there: the database may be a restored backup that is older.
 */
async function findLeft({ workspaces, disk, isTenantOpen }: SweepParts): Promise<string[]> {
  const { list, isAbandoned } = await disk()
  const all = await list()
  const known = await workspaces.store.listKnown(all.map(({ id }) => id))
  const left: string[] = []
  for (const { id, tenant } of all) {
    if (known.has(id)) continue
    // A suspended tenant is there.
    const isThere = tenant === undefined || (await isTenantOpen(tenant).catch(() => true))
    if (!isThere || (await isAbandoned(id, { olderThanMs: draftMs }))) left.push(id)
  }
  return left
}
