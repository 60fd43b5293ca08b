import { chmod, mkdir, readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import type { WorkspaceDisk } from '../../core/host/workspace-disk.ts'

interface DiskPlace {
  /** The data folder, absolute. */
  data: string
  /** The folder of workspaces, if it is not in the data folder. */
  folder?: string | undefined
}

const usualFolder = 'workspaces'

/** Opens the folder of workspaces when it is first needed, and again after a failure. */
export function lazyDisk({ data, folder }: DiskPlace): () => Promise<WorkspaceDisk> {
  let opened: Promise<WorkspaceDisk> | undefined
  async function open(): Promise<WorkspaceDisk> {
    const { openWorkspaceDisk } = await import('../../host/files/open-workspace-disk.ts')
    if (folder !== undefined) return openWorkspaceDisk({ folder: path.resolve(folder) })
    await mkdir(data, { recursive: true, mode: 0o700 })
    if (process.getuid?.() === 0) await letThrough(data)
    return openWorkspaceDisk({ folder: path.join(data, usualFolder) })
  }
  return () => {
    opened ??= open().catch((error: unknown) => {
      opened = undefined
      throw error
    })
    return opened
  }
}

/**
 * As root, the sandbox has another user, who must reach its workspace through the data folder and
 * must see nothing else of it.
 */
async function letThrough(data: string): Promise<void> {
  for (const entry of await readdir(data, { withFileTypes: true })) {
    if (entry.name === usualFolder || entry.isSymbolicLink()) continue
    const place = path.join(data, entry.name)
    // A file of the running server may disappear at any time.
    await closeToOthers(place).catch(() => undefined)
  }
  await chmod(data, 0o711)
}

/** Takes the rights of everybody but the owner, whose rights stay. */
async function closeToOthers(place: string): Promise<void> {
  const { mode } = await stat(place)
  if ((mode & 0o077) !== 0) await chmod(place, mode & 0o700)
}
