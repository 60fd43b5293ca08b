import type { JsonRecord } from './messages.ts'

/** A request that waits for its answer. */
export class Pending<Options> {
  readonly options: Options
  /** Where a request has a stream of its own, the way to let go of it. */
  readonly stream: AbortController | undefined
  readonly answer: Promise<JsonRecord>
  readonly #forget: () => void
  #resolve!: (result: JsonRecord) => void
  #reject!: (error: unknown) => void

  constructor(parts: Pick<Pending<Options>, 'options' | 'stream'> & { forget(): void }) {
    this.options = parts.options
    this.stream = parts.stream
    this.#forget = parts.forget
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  resolve(result: JsonRecord): void {
    this.#forget()
    this.#resolve(result)
  }

  reject(error: unknown): void {
    this.#forget()
    this.#reject(error)
  }
}
