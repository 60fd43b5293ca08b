import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { FileOwner, WorkspaceUnpacking } from '../../../core/host/workspace-disk.ts'
import { manifestName, openManifest, printManifest } from '../baseline/manifest.ts'
import { withFileErrors } from '../file-error.ts'
import { badPath } from '../workspace-path.ts'
import { unpackEntry, type WrittenFile } from './unpack-tree.ts'

/** Fills the folders of a workspace, which were just made. */
export function openUnpacking(own: string, owner: FileOwner | undefined): WorkspaceUnpacking {
  const written = new Map<string, WrittenFile>()
  return {
    write: (entry) =>
      withFileErrors(entry.path, async () => {
        const [part = '', ...rest] = entry.path.split('/')
        const below = rest.join('/')
        if (part === 'base') {
          // `old` was made with the workspace.
          if (entry.kind === 'file') {
            await unpackEntry({ root: path.join(own, 'base'), owner: undefined }, below, entry)
          }
          return
        }
        if (part !== 'files') throw badPath(entry.path, 'does not belong to a workspace')
        const facts = await unpackEntry({ root: path.join(own, 'files'), owner }, below, entry)
        if (facts !== undefined) written.set(below, facts)
      }),
    end: () => withFileErrors('.', () => moveTimes(path.join(own, 'base'), written)),
  }
}

/**
 * The baseline knows files by their times, which this disk may hold less exactly: without this,
 * everything would count as changed.
 */
async function moveTimes(base: string, written: ReadonlyMap<string, WrittenFile>): Promise<void> {
  const file = path.join(base, manifestName)
  const known = new Map(await openManifest(base).read())
  if (known.size === 0) return
  for (const [name, facts] of known) {
    const now = written.get(name)
    if (now?.packedMs === facts.mtimeMs) known.set(name, { ...facts, mtimeMs: now.writtenMs })
  }
  await writeFile(file, printManifest(known), { mode: 0o600 })
}
