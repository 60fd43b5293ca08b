import type { WorkspaceFiles } from '../../../core/host/workspace-disk.ts'
import type { WorkspaceEntry } from '../../../core/kernel/context/workspace.ts'
import { isToolError, ToolError } from '../../../core/kernel/errors.ts'
import { numberPath } from './safe-file-name.ts'

export interface PutOptions {
  /** Also into a read-only workspace. */
  isDelivery?: boolean
}

interface Given extends PutOptions {
  /** Called for each try. */
  content(): AsyncIterable<Uint8Array>
  /** True if this file has the same content: then it counts as put there. */
  isSame?(entry: WorkspaceEntry): Promise<boolean>
}

const mostTries = 200

/** Puts a file under this path, or under a numbered one: it never replaces another. */
export async function putBeside(
  files: WorkspaceFiles,
  path: string,
  { content, isSame, isDelivery = false }: Given,
): Promise<WorkspaceEntry> {
  for (let number = 1; number <= mostTries; number += 1) {
    const free = numberPath(path, number)
    const found = await files.stat(free)
    if (found !== undefined) {
      if (await isSame?.(found)) return found
      continue
    }
    try {
      return await files.receive(free, content(), { overwrite: false, isDelivery })
    } catch (error) {
      // Somebody was faster.
      if (!isToolError(error) || error.code !== 'conflict') throw error
    }
  }
  throw new ToolError('conflict', `There are ${mostTries} files of this name already`, {
    fix: 'Give another path, or delete some of them.',
  })
}

/** Puts bytes under this path. A file of the same content stays as it is, so this can be repeated. */
export async function putBytesBeside(
  files: WorkspaceFiles,
  ...[path, bytes, options]: [string, Uint8Array, PutOptions]
): Promise<WorkspaceEntry> {
  return putBeside(files, path, {
    ...options,
    async *content() {
      yield bytes
    },
    async isSame(entry) {
      if (entry.kind !== 'file' || entry.bytes !== bytes.length) return false
      const { content } = await files.open(entry.path)
      let at = 0
      for await (const part of content) {
        const given = bytes.subarray(at, at + part.length)
        if (Buffer.compare(part, given) !== 0) return false
        at += part.length
      }
      return at === bytes.length
    },
  })
}
