import type { Allowance, WorkspaceSize } from '../../core/host/workspace-disk.ts'
import { ToolError } from '../../core/kernel/errors.ts'

/** How much one workspace may hold, counted on this node and corrected by each measurement. */
export interface CountedAllowance extends Allowance {
  set(size: WorkspaceSize): void
  /** Throws `quota_exceeded` if there is too much already: a process could write past every check. */
  assertKept(): void
}

export interface AllowanceLimits {
  maxBytes: number
  maxFiles: number
}

export function createAllowance(
  start: WorkspaceSize,
  { maxBytes, maxFiles }: AllowanceLimits,
): CountedAllowance {
  let { bytes, files } = start
  return {
    usage: () => ({ bytes, files, maxBytes, maxFiles }),

    reserve(more) {
      // A change that makes it smaller is always allowed.
      if (more.bytes > 0 && bytes + more.bytes > maxBytes) throw tooLarge(bytes, maxBytes)
      if (more.files > 0 && files + more.files > maxFiles) throw tooMany(maxFiles)
      bytes += more.bytes
      files += more.files
    },

    release(less) {
      bytes = Math.max(0, bytes - less.bytes)
      files = Math.max(0, files - less.files)
    },

    set(size) {
      ;({ bytes, files } = size)
    },

    assertKept() {
      if (bytes > maxBytes) throw tooLarge(bytes, maxBytes)
      if (files > maxFiles) throw tooMany(maxFiles)
    },
  }
}

function tooLarge(bytes: number, maxBytes: number): ToolError {
  const message = `The workspace holds ${bytes} bytes of at most ${maxBytes}`
  return new ToolError('quota_exceeded', message, {
    fix: 'Delete files that are not needed, or have workspaces.maxBytes raised in the configuration.',
  })
}

function tooMany(maxFiles: number): ToolError {
  return new ToolError('quota_exceeded', `A workspace has at most ${maxFiles} files and folders`, {
    fix: 'Delete some, or have workspaces.maxFiles raised in the configuration.',
  })
}
