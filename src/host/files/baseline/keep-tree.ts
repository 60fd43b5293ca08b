import type { WorkspaceSize } from '../../../core/host/workspace-disk.ts'
import { lookAt, type Place } from '../find-place.ts'
import { openFolderIn } from '../folder.ts'
import { allowChanges } from '../remove-tree.ts'
import { walkTree } from '../walk-tree.ts'
import type { Baseline } from './baseline.ts'

/**
 * Keeps the old content of everything in a folder that is about to be removed. Returns its size, the
 * folder included.
 */
export async function keepTree(baseline: Baseline, place: Place): Promise<WorkspaceSize> {
  const size = { bytes: 0, files: 1 }
  const top = openFolderIn(place.folder, place.name ?? '.')
  try {
    allowChanges(top)
    await walkTree(top, {
      async visit({ folder, name, path: below }) {
        const facts = lookAt(folder, name)
        size.files += 1
        if (facts?.isFile() !== true) return true
        size.bytes += facts.size
        const path = `${place.path}/${below}`
        const inner = { folder, name, path, close: () => undefined }
        // An unreadable file has no old content to show.
        await baseline.keep(inner, facts).catch(() => undefined)
        return true
      },
    })
    return size
  } finally {
    top.close()
  }
}
