import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import type { Allowance, WorkspaceFiles } from '../../core/host/workspace-disk.ts'
import { createId } from '../../core/kernel/ids.ts'
import { openWorkspaceDisk } from './open-workspace-disk.ts'

/** A folder that is removed after the test. */
export async function aFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'crib-files-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Everything fits. */
export const noLimit: Allowance = {
  usage: () => ({ bytes: 0, files: 0, maxBytes: 2 ** 40, maxFiles: 2 ** 40 }),
  reserve: () => undefined,
  release: () => undefined,
}

export interface AWorkspace {
  files: WorkspaceFiles
  /** Where its files are. */
  root: string
  /** Outside of it. */
  outside: string
  id: string
}

/** An empty workspace on a disk of its own. The owner of its files is as if the server were root. */
export async function aWorkspace({
  allowance = noLimit,
  uid,
}: { allowance?: Allowance; uid?: number } = {}): Promise<AWorkspace> {
  const outside = await aFolder()
  await chmod(outside, 0o711)
  const folder = path.join(outside, 'workspaces')
  const disk = await openWorkspaceDisk({ folder, isRoot: uid !== undefined })
  const id = createId('ws')
  const owner = uid === undefined ? undefined : { uid, gid: uid }
  await disk.create(id, { tenant: 't', owner })
  const files = disk.files({
    id,
    owner,
    allowance,
    assertWritable: () => undefined,
    mode: () => 'free',
  })
  return { files, root: disk.find(id), outside, id }
}
