import { statfs } from 'node:fs/promises'
import type { ProcessPlace } from '../../../core/host/sandbox.ts'
import { isToolError, type ToolError } from '../../../core/kernel/errors.ts'
import type { BoxProcess } from '../driver.ts'

/** A running command or process that may write. */
export interface Watched {
  place: ProcessPlace
  process: Pick<BoxProcess, 'heldBytes'>
  /** Counts the workspace, with files that are deleted and still held. Throws `quota_exceeded`. */
  measure(workspaceId: string, heldBytes: number): Promise<unknown>
  /** Ends it, because the workspace is too full. */
  end(reason: ToolError): void
}

/** Watches how much space running commands use. Without it, only their end would show. */
export interface DiskWatch {
  /** Watches until the returned function is called, which resolves when nothing is counted any more. */
  watch(one: Watched): () => Promise<void>
  close(): void
}

interface Use {
  all: Set<Watched>
  /** Free space of its disk at the last count. */
  free: Space
  nextMs: number
  looking: Promise<void> | undefined
}

interface Space {
  bytes: number
  files: number
}

/** Free space is looked at this often. */
const lookEveryMs = 1000
/** A workspace is counted when so much less is free than at its last count … */
const noticeable: Space = { bytes: 16 * 1024 * 1024, files: 500 }
/** … or after this time: other programs may have made as much room in between. */
const countEveryMs = 15_000
/** Counting a large workspace takes at most this part of the time. */
const shareOfTime = 20

export function createDiskWatch(): DiskWatch {
  const uses = new Map<string, Use>()
  let timer: NodeJS.Timeout | undefined
  const look = () => {
    for (const [id, use] of uses) {
      use.looking ??= lookAt(id, use).finally(() => (use.looking = undefined))
    }
  }
  function stopIfUnused(): void {
    if (uses.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
  return {
    watch(one) {
      const { id } = one.place
      const use = uses.get(id) ?? createUse(one.place.folder)
      use.all.add(one)
      uses.set(id, use)
      timer ??= setInterval(look, lookEveryMs).unref()
      return async () => {
        use.all.delete(one)
        if (use.all.size === 0 && uses.get(id) === use) uses.delete(id)
        stopIfUnused()
        await use.looking
      }
    },
    close() {
      uses.clear()
      stopIfUnused()
    },
  }
}

function createUse(folder: string): Use {
  const free = { bytes: Number.POSITIVE_INFINITY, files: Number.POSITIVE_INFINITY }
  const nextMs = performance.now() + countEveryMs
  const use: Use = { all: new Set(), free, nextMs, looking: undefined }
  use.looking = begin(use, folder)
  return use
}

async function begin(use: Use, folder: string): Promise<void> {
  use.free = await findSpace(folder)
  use.looking = undefined
}

async function lookAt(id: string, use: Use): Promise<void> {
  const [first] = use.all
  if (first === undefined) return
  const free = await findSpace(first.place.folder)
  const { bytes, files } = use.free
  const isLess = bytes - free.bytes >= noticeable.bytes || files - free.files >= noticeable.files
  if (isLess || performance.now() >= use.nextMs) {
    use.free = free
    return count(id, use, first)
  }
  // Somebody made room: what is used after that counts.
  use.free = { bytes: Math.max(bytes, free.bytes), files: Math.max(files, free.files) }
}

async function count(id: string, use: Use, { measure }: Watched): Promise<void> {
  const startedAt = performance.now()
  try {
    const held = await Promise.all(
      [...use.all].map(async ({ process }) => process.heldBytes?.() ?? 0),
    )
    await measure(
      id,
      held.reduce((sum, bytes) => sum + bytes, 0),
    )
  } catch (error) {
    // Other errors are reported by the count after the command.
    const isFull = isToolError(error) && error.code === 'quota_exceeded'
    if (isFull) for (const { end } of use.all) end(error)
  }
  const now = performance.now()
  use.nextMs = now + Math.max(countEveryMs, (now - startedAt) * shareOfTime)
}

/** Some file systems have no fixed number of files; they show none as free. */
async function findSpace(folder: string): Promise<Space> {
  const found = await statfs(folder).catch(() => undefined)
  if (found === undefined) return { bytes: 0, files: 0 }
  return { bytes: found.bavail * found.bsize, files: found.ffree }
}
