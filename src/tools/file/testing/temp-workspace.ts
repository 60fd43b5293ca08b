import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createId } from '../../../core/kernel/ids.ts'
import type { Workspace } from '../../../core/kernel/context/workspace.ts'
import { openWorkspaceDisk } from '../../../host/files/open-workspace-disk.ts'

/** A real workspace on a temporary folder, for tests of tools. */
export interface TempWorkspace extends Workspace, AsyncDisposable {
  /** Absolute. */
  readonly folder: string
}

export async function openTempWorkspace(
  files: Readonly<Record<string, string | Uint8Array>> = {},
): Promise<TempWorkspace> {
  const place = await mkdtemp(path.join(tmpdir(), 'toolcrib-workspace-'))
  await chmod(place, 0o711)
  const disk = await openWorkspaceDisk({ folder: path.join(place, 'workspaces'), isRoot: false })
  const id = createId('ws')
  await disk.create(id, { tenant: 'default', owner: undefined })
  const workspace = disk.files({
    id,
    owner: undefined,
    allowance: {
      usage: () => ({ bytes: 5, files: 1, maxBytes: 2 ** 40, maxFiles: 2 ** 40 }),
      reserve: () => undefined,
      release: () => undefined,
    },
    assertWritable: () => undefined,
    mode: () => 'free',
  })
  for (const [name, content] of Object.entries(files)) await workspace.write(name, content)
  return {
    ...workspace,
    folder: disk.find(id),
    [Symbol.asyncDispose]: () => rm(place, { recursive: true, force: true }),
  }
}
