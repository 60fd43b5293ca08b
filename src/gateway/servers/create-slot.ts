import { connectionLost } from '../wire/messages.ts'
import { createHolders } from './holders.ts'
import type { Opened } from './opened.ts'

export interface Use extends Opened {
  release(): void
}

/** A place for one connection: made when it is used, ended when nobody has used it for a while. */
export interface Slot {
  /** Rejects with what is in the way. */
  use(): Promise<Use>
  isOpen(): boolean
  /** The open connection, if there is one. */
  opened(): Opened | undefined
  uses(): number
  close(reason?: string): Promise<void>
  /** Ends it as soon as nobody uses it. Resolves when it has ended, or others still use it. */
  retire(): Promise<void>
}

interface SlotOptions {
  idleMs(): number
  /** Gives up when the signal aborts. */
  open(signal: AbortSignal): Promise<Opened>
  onIdle(): void
}

export function createSlot({ idleMs, open, onIdle }: SlotOptions): Slot {
  let opening: { promise: Promise<Opened>; stop: AbortController } | undefined
  let opened: Opened | undefined
  let uses = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let isRetired = false
  const holders = createHolders()

  async function reach(): Promise<Opened> {
    if (opened?.upstream.peer.isOpen === false) {
      holders.leave(opened)
      opened = undefined
    }
    if (opened !== undefined) return opened
    const stop = new AbortController()
    const start = () => openAfter(holders.gone(), open, stop.signal)
    opening ??= { stop, promise: start().finally(() => (opening = undefined)) }
    opened = await opening.promise
    return opened
  }
  function release(): void {
    uses -= 1
    if (uses > 0) return
    clearTimeout(timer)
    if (isRetired) return void close()
    timer = setTimeout(() => {
      if (uses > 0 || opened === undefined) return
      void close('nobody used it').then(onIdle)
    }, idleMs()).unref()
  }
  async function close(reason?: string): Promise<void> {
    clearTimeout(timer)
    opening?.stop.abort(connectionLost(reason ?? 'it was stopped', false))
    const last = opened ?? (await opening?.promise.catch(() => undefined))
    opened = undefined
    await holders.close(last, reason)
  }
  return {
    async use() {
      uses += 1
      clearTimeout(timer)
      try {
        const one = await reach()
        holders.hold(one)
        return { ...one, release: once(() => [holders.letGo(one), release()]) }
      } catch (error) {
        release()
        throw error
      }
    },
    isOpen: () => opened?.upstream.peer.isOpen === true,
    opened: () => opened,
    uses: () => uses,
    close,
    async retire() {
      isRetired = true
      if (uses === 0) await close()
    },
  }
}

/** A program may hold what there is only one of (a port, a file), so the next waits for its end. */
async function openAfter(
  gone: Promise<void>,
  open: SlotOptions['open'],
  signal: AbortSignal,
): Promise<Opened> {
  await gone
  signal.throwIfAborted()
  return open(signal)
}

function once(work: () => unknown): () => void {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    work()
  }
}
