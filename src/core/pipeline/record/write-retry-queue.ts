import { ToolError } from '../../kernel/errors.ts'

/**
 * Above this many writes in flight, a caller waits: more would only age in memory, which costs more
 * than waiting.
 */
const maxInFlight = 512
/** How many refused writes are kept; beyond that no more calls are accepted. */
const maxRefused = 4096
const retryEveryMs = 500

type Attempt = () => Promise<unknown>

/**
 * Keeps writes that must not be lost while the disk refuses them, and retries until they succeed.
 */
export class WriteRetryQueue {
  readonly #onWarning: (message: string) => void
  #refused: Attempt[] = []
  #inFlight = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #waiters: (() => void)[] = []

  constructor(onWarning: (message: string) => void) {
    this.#onWarning = onWarning
  }

  get size(): number {
    return this.#inFlight + this.#refused.length
  }

  /**
   * Rejects with record_failed when the first attempt fails; the write itself is kept and retried.
   */
  async write<T>(attempt: () => Promise<T>): Promise<T> {
    this.#inFlight += 1
    try {
      return await attempt()
    } catch (error) {
      this.#keep(attempt, error)
      throw new ToolError('record_failed', 'The result of the call could not be recorded yet', {
        cause: error,
      })
    } finally {
      this.#inFlight -= 1
      if (this.#waiters.length > 0 && this.#inFlight < maxInFlight) this.#wake()
    }
  }

  /**
   * Back-pressure: undefined while few writes are pending, a promise when many are; throws when the
   * disk is not available.
   */
  ready(): Promise<void> | undefined {
    if (this.#refused.length >= maxRefused) {
      throw new ToolError(
        'record_failed',
        `${this.#refused.length} calls wait to be recorded; no more are accepted`,
        { fix: 'Check the disk space and the database.' },
      )
    }
    if (this.#inFlight < maxInFlight) return undefined
    return new Promise((resolve) => this.#waiters.push(resolve))
  }

  /** Retries refused writes once more, and waits for all that are in flight. */
  async flush(): Promise<void> {
    if (this.#refused.length > 0) await this.#retry()
    while (this.#inFlight > 0) await new Promise((resolve) => setTimeout(resolve, 2))
  }

  async close(): Promise<void> {
    await this.flush()
    clearTimeout(this.#timer)
    const lost = this.#refused.length
    if (lost > 0) this.#onWarning(`${lost} records could not be written and are lost`)
  }

  #keep(attempt: Attempt, error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error)
    if (this.#refused.length === 0) {
      this.#onWarning(`Calls can't be recorded, keeping them to retry: ${reason}`)
    }
    this.#refused.push(attempt)
    this.#timer ??= setTimeout(() => void this.#retry(), retryEveryMs)
    // Waiting for the disk must not keep a process alive that is otherwise done.
    ;(this.#timer as { unref?: () => void }).unref?.()
  }

  async #retry(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const again = this.#refused
    this.#refused = []
    await Promise.allSettled(again.map((attempt) => this.write(attempt)))
  }

  #wake(): void {
    const waiting = this.#waiters
    this.#waiters = []
    for (const resolve of waiting) resolve()
  }
}
