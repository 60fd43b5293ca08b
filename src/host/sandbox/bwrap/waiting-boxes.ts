import type { WaitingBox } from './start-box.ts'

/**
 * Boxes that have started and wait for their only command, so that the next command of a workspace
 * need not wait for namespaces and mounts. None is used twice: nothing of one command can reach
 * another.
 */
export interface WaitingBoxes {
  /** The box that waits for this workspace, or a new one. */
  take(key: string | undefined, start: () => Promise<WaitingBox>): Promise<WaitingBox>
  prepare(key: string, start: () => Promise<WaitingBox>): void
  /** Ends the box that waits for a workspace. */
  drop(isGone: (key: string) => boolean): Promise<void>
  close(): Promise<void>
}

const idleMs = 60_000

interface Waiting {
  box: Promise<WaitingBox | undefined>
  timer: ReturnType<typeof setTimeout>
}

/** At most `most` boxes wait; the one that has waited longest goes first. */
export function createWaitingBoxes(most: number): WaitingBoxes {
  const boxes = new Map<string, Waiting>()
  const state = { isClosed: false }

  async function remove(key: string): Promise<void> {
    const found = boxes.get(key)
    if (found === undefined) return
    boxes.delete(key)
    clearTimeout(found.timer)
    await (await found.box)?.destroy()
  }

  return {
    async take(key, start) {
      const found = key === undefined ? undefined : boxes.get(key)
      if (key === undefined || found === undefined) return start()
      boxes.delete(key)
      clearTimeout(found.timer)
      const box = await found.box
      return box === undefined || box.isOver() ? start() : box
    },
    prepare(key, start) {
      if (state.isClosed || most === 0 || boxes.has(key)) return
      const box = start().catch(() => undefined)
      boxes.set(key, { box, timer: setTimeout(() => void remove(key), idleMs).unref() })
      const [oldest] = boxes.keys()
      if (boxes.size > most && oldest !== undefined) void remove(oldest)
    },
    async drop(isGone) {
      await Promise.all([...boxes.keys()].filter(isGone).map(remove))
    },
    async close() {
      state.isClosed = true
      await Promise.all([...boxes.keys()].map(remove))
    },
  }
}
