/** Ended background processes that can still be read, of all workspaces of this node. */
export interface EndedProcesses {
  /** Keeps it. Forgets the oldest ones when all together take too much memory. */
  add(process: object, kept: { bytes: number; forget(): void }): void
  remove(process: object): void
}

/** The size of a process beside its output: its command and its entry in the lists. */
const eachBytes = 8192

/** Callers choose the names of their sessions, so a limit for each workspace would bound nothing. */
export function createEndedProcesses(maxBytes: number): EndedProcesses {
  const kept = new Map<object, { bytes: number; forget(): void }>()
  let total = 0

  function remove(process: object): void {
    const found = kept.get(process)
    if (found === undefined) return
    kept.delete(process)
    total -= found.bytes
  }
  return {
    add(process, { bytes, forget }) {
      kept.set(process, { bytes: bytes + eachBytes, forget })
      total += bytes + eachBytes
      for (const [oldest, { forget: forgetOldest }] of kept) {
        if (total <= maxBytes) return
        remove(oldest)
        forgetOldest()
      }
    },
    remove,
  }
}
