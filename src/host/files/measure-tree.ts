import type { WorkspaceSize } from '../../core/host/workspace-disk.ts'
import { lookAt } from './find-place.ts'
import { openRootFolder } from './folder.ts'
import { walkTree } from './walk-tree.ts'

const blockBytes = 512

/** Counts what is below a folder, up to so many files. */
export async function measureTree(root: string, most: number): Promise<WorkspaceSize> {
  const size = { bytes: 0, files: 0 }
  const folder = openRootFolder(root)
  try {
    await walkTree(folder, {
      visit(found) {
        size.files += 1
        const facts = found.kind === 'file' ? lookAt(found.folder, found.name) : undefined
        // Of a sparse file, only what it takes on the disk.
        if (facts !== undefined) size.bytes += Math.min(facts.size, facts.blocks * blockBytes)
        return size.files < most
      },
    })
    return size
  } finally {
    folder.close()
  }
}
