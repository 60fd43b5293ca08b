import { isSettled } from '../../call-state.ts'
import type { CallResult } from '../../kernel/call.ts'
import type { PipelinePorts } from '../ports.ts'

/** Longer than a queued item takes on a busy server, and short enough to hold a worker for. */
const patienceMs = 250

/**
 * An item that ends here is noticed at once. Those of other nodes are looked up, which is only worth
 * it for an item that has not ended by then.
 */
const elsewhereAfterMs = 20

type WaitPorts = Pick<PipelinePorts, 'waitForCall' | 'work' | 'running'>

/** Waits that share one limit of patience: it starts again with each item that ends. */
interface Episode {
  control: AbortController
  signal: AbortSignal
  timer: ReturnType<typeof setTimeout>
  waiting: number
  /** Returns the worker. */
  leave(): void
}

/**
 * Waits a moment for queued items of a list. While they keep ending, the run continues with the
 * next ones; otherwise it would stop, be queued, and read all items again, for every few of them.
 */
export class ItemWaits {
  readonly #ports: WaitPorts
  readonly #tenant: string
  readonly #signal: () => AbortSignal
  #episode: Episode | undefined
  #isOver = false
  #settled = 0

  constructor(ports: WaitPorts, { tenant, signal }: { tenant: string; signal: () => AbortSignal }) {
    this.#ports = ports
    this.#tenant = tenant
    this.#signal = signal
  }

  /** How many items have ended here: each has added 1 to the wakes of the call. */
  get settled(): number {
    return this.#settled
  }

  /** Undefined if the item takes too long, so that the run has to stop. */
  async wait(callId: string): Promise<CallResult | undefined> {
    const episode = this.#isOver ? undefined : (this.#episode ??= this.#begin())
    if (episode === undefined) return undefined
    episode.waiting += 1
    try {
      const result = await this.#ended(callId, episode)
      if (result === undefined || !isEnd(result)) return undefined
      this.#settled += 1
      episode.timer.refresh()
      return result
    } finally {
      episode.waiting -= 1
      if (episode.waiting === 0) this.#end(episode)
    }
  }

  async #ended(callId: string, { signal }: Episode): Promise<CallResult | undefined> {
    const { running, waitForCall } = this.#ports
    const here = running.watch(callId)
    const late = Promise.withResolvers<CallResult | undefined>()
    const giveUp = () => late.resolve(undefined)
    const lookUp = () => waitForCall(this.#tenant, callId, signal).then(late.resolve, giveUp)
    const timer = setTimeout(() => void lookUp(), elsewhereAfterMs)
    signal.addEventListener('abort', giveUp, { once: true })
    try {
      return await Promise.race([here.settled, late.promise])
    } finally {
      here.leave()
      clearTimeout(timer)
      signal.removeEventListener('abort', giveUp)
    }
  }

  #begin(): Episode | undefined {
    const leave = this.#ports.work.keepWorker()
    if (leave === undefined) return undefined
    const control = new AbortController()
    const stop = () => {
      this.#isOver = true
      control.abort()
    }
    return {
      control,
      signal: AbortSignal.any([control.signal, this.#signal()]),
      timer: setTimeout(stop, patienceMs),
      waiting: 0,
      leave,
    }
  }

  #end(episode: Episode): void {
    clearTimeout(episode.timer)
    episode.leave()
    if (this.#episode === episode) this.#episode = undefined
  }
}

/**
 * An interrupted item is made again when the call continues, as after any other stop. A result that
 * is not recorded yet may still change.
 */
function isEnd({ status, error }: CallResult): boolean {
  if (!isSettled(status) || status === 'cancelled') return false
  return error?.code !== 'interrupted' && error?.code !== 'record_failed'
}
