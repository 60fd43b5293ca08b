import type { WorkspaceFiles } from '../../core/host/workspace-disk.ts'
import { findChanges, takeManifest } from './baseline/find-changes.ts'
import { exists, withFileErrors } from './file-error.ts'
import { lookAt } from './find-place.ts'
import type { Ground } from './ground.ts'
import { measureTree } from './measure-tree.ts'
import { openPages, readingFiles } from './read-files.ts'
import { commitDraft, draftFile, findReplaced } from './replace-file.ts'
import { entryOf, reserved, withPlace, writingFiles } from './write-files.ts'

/** Everything that can be done with the files of one workspace. */
export function workspaceFiles(ground: Ground): WorkspaceFiles {
  const { root, workspace, baseline } = ground
  return {
    facts: async () => ({ id: workspace.id, mode: workspace.mode() }),
    usage: async () => workspace.allowance.usage(),
    ...readingFiles(root),
    ...writingFiles(ground),
    receive: (path, content, { overwrite = true, isDelivery = false } = {}) =>
      withFileErrors(path, () =>
        receive(ground, { path, content, mayReplace: overwrite, isDelivery }),
      ),
    open: (path) => openPages(root, path),
    measure: (most) => withFileErrors('.', () => measureTree(root, most)),
    changes: (limit) => withFileErrors('.', () => findChanges(root, baseline, limit)),
    rebase: () =>
      withFileErrors('.', async () =>
        ground.lock(async () => baseline.replace(await takeManifest(root))),
      ),
  }
}

interface Receipt {
  path: string
  content: AsyncIterable<Uint8Array>
  mayReplace: boolean
  isDelivery: boolean
}

/** The stream is written before the lock: a slow sender holds up nobody. */
async function receive(ground: Ground, { path, content, mayReplace, isDelivery }: Receipt) {
  const assertWritable = () => void (isDelivery || ground.workspace.assertWritable())
  assertWritable()
  const { bytes: used, maxBytes } = ground.workspace.allowance.usage()
  const bounded = limitBytes(ground, content, maxBytes - used)
  const draft = await draftFile(ground.scratch, bounded)
  try {
    return await ground.lock(() => {
      // The mode may have changed while the stream was written.
      assertWritable()
      return withPlace(ground, path, async (place) => {
        const replaced = findReplaced(place, path)
        if (replaced !== undefined && !mayReplace) throw exists(path)
        const entry = reserved(ground, { replaced, bytes: draft.bytes }, () => {
          commitDraft(draft, { place, asked: path, mayReplace })
          return entryOf(place)
        })
        const facts = lookAt(place.folder, place.name ?? '.')
        if (facts !== undefined) await ground.baseline.add(place.path, facts)
        return entry
      })
    })
  } finally {
    draft.discard()
  }
}

/** Ends with `quota_exceeded` as soon as there is too much. */
async function* limitBytes(
  { workspace }: Ground,
  content: AsyncIterable<Uint8Array>,
  free: number,
): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const part of content) {
    bytes += part.length
    if (bytes > free) {
      workspace.allowance.reserve({ bytes, files: 0 })
      workspace.allowance.release({ bytes, files: 0 })
    }
    yield part
  }
}
