import { ToolError } from '../../kernel/errors.ts'

/** Above this many on their way a caller waits: more would only grow old in memory, which costs more than waiting. */
const maxInFlight = 512
/** So many that the disk refused are kept; then no more calls are taken. */
const maxRefused = 4096
const retryEveryMs = 500

type Attempt = () => Promise<unknown>

/** Writes that must not be lost while the disk refuses them: kept, and tried again until they are written. */
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

  /** Rejects with record_failed when the first try fails; the write itself is kept and tried again. */
  async write<T>(attempt: () => Promise<T>): Promise<T> {
    this.#inFlight += 1
    try {
      return await attempt()
    } catch (error) {
      this.#keep(attempt, error)
      throw new ToolError('record_failed', 'The end of the call could not be recorded yet', {
        cause: error,
      })
    } finally {
      this.#inFlight -= 1
      if (this.#waiters.length > 0 && this.#inFlight < maxInFlight) this.#wake()
    }
  }

  /** The brake: nothing while few are unwritten, a promise when many are; throws when the disk is gone. */
  ready(): Promise<void> | undefined {
    if (this.#refused.length >= maxRefused) {
      throw new ToolError(
        'record_failed',
        `${this.#refused.length} calls wait to be recorded; no more are taken`,
        { fix: 'See that the disk has room and the database answers.' },
      )
    }
    if (this.#inFlight < maxInFlight) return undefined
    return new Promise((resolve) => this.#waiters.push(resolve))
  }

  /** Tries what was refused once more, and waits for all that is on its way. */
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
      this.#onWarning(`Calls can't be recorded, keeping them to try again: ${reason}`)
    }
    this.#refused.push(attempt)
    this.#timer ??= setTimeout(() => void this.#retry(), retryEveryMs)
    // Waiting for the disk must not keep a process alive that is done otherwise.
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
