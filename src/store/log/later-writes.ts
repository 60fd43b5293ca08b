import { ToolError } from '../../core/errors.ts'
import { encodePart } from '../engine/composite-rows.ts'
import type { Columns, Field } from '../engine/composite-rows.ts'
import type { Deferral } from '../engine/engine.ts'
import { Journal } from '../engine/journal.ts'
import { toStoreError } from '../engine/store-error.ts'

/** One row that is safe in the journal before it is in its table. */
export interface LaterEntry {
  readonly row: readonly Field[]
  /** Writes it by itself, whatever is there already. */
  writeAlone(): Promise<unknown>
}

/** Rows in the journal that go into their tables together. */
export interface LaterBatch<Entry> {
  readonly entries: Entry[]
  /** Their rows, encoded. */
  readonly parts: Uint8Array[]
  bytes: number
}

interface LaterOptions<Entry> {
  deferral: Deferral
  columns: Columns
  /** In one statement, which must be asked for before this returns. */
  send(batch: LaterBatch<Entry>): Promise<void>
  /** There is something new to be seen. */
  announce(): void
  onWarning(message: string): void
}

/** What stands in one part of the journal, which is struck out with the last of them. */
interface Part<Entry> {
  entries: readonly Entry[]
  readonly strikeOut: () => void
  /** Somebody is about to write them. */
  isTried: boolean
}

interface Asked<Entry> {
  entry: Entry
  resolve: () => void
  reject: (error: unknown) => void
}

/** Where a row has its uuid. */
const idIndex = 1
/** Sealing and usage begin when a row is in its table; nobody waits for either. */
const bringInAfterMs = 50
const maxRows = 512
const maxBytes = 4 * 1024 * 1024
/** While the database takes nothing. */
const maxHeldRows = 8_192
const retryMs = 500

/**
 * Puts rows into a journal, and into their tables with many others, at the latest when somebody asks
 * for them. On the embedded engine a statement takes some 250 µs and each row of it 25 more; eight
 * callers at a time, each of whom waits for an answer before the next question, fill it with four.
 */
export class LaterWrites<Entry extends LaterEntry> {
  readonly #options: LaterOptions<Entry>
  readonly #journal: Journal
  readonly #underWay = new Set<Promise<void>>()
  readonly #bringIn = () => this.#insertWaiting()
  #asked: Asked<Entry>[] = []
  #waiting: LaterBatch<Entry> = emptyBatch()
  #heldRows = 0
  /** What the database did not take. */
  readonly #refused = new Set<Part<Entry>>()
  #isWarned = false
  #timer: NodeJS.Timeout | undefined
  #retryTimer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(options: LaterOptions<Entry>) {
    this.#options = options
    this.#journal = new Journal(options.deferral.folder, JSON.stringify(options.columns))
    options.deferral.onUse(this.#bringIn)
  }

  /** In the journal when it resolves, and in its table before anybody looks there. */
  write(entry: Entry): Promise<void> {
    if (this.#isClosed) return Promise.reject(closing())
    if (this.#heldRows >= maxHeldRows) return Promise.reject(noRoom())
    return new Promise((resolve, reject) => {
      this.#asked.push({ entry, resolve, reject })
      // With all that comes in the same turn of the event loop.
      if (this.#asked.length === 1) setImmediate(() => this.#writeDown())
    })
  }

  /** It is in the journal, and the database did not take it yet. */
  isRefused(id: string): boolean {
    return [...this.#refused].some(({ entries }) => entries.some(({ row }) => row[idIndex] === id))
  }

  /** All that was asked for is in its table, or was tried once more. */
  async flush(): Promise<void> {
    this.#writeDown()
    this.#insertWaiting()
    this.#retry()
    await Promise.all(this.#underWay)
  }

  /** What the database does not take stays in the journal. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.flush()
    clearTimeout(this.#retryTimer)
    this.#options.deferral.onUse(() => {})
    this.#journal.close()
  }

  #writeDown(): void {
    const asked = this.#asked
    if (asked.length === 0) return
    this.#asked = []
    const waiting = this.#waiting
    try {
      const rows = asked.map(({ entry }) => entry.row)
      const part = encodePart(this.#options.columns, rows)
      this.#journal.append(part)
      waiting.parts.push(part)
      waiting.bytes += part.length
    } catch (error) {
      const reason = notWritten(error)
      for (const { reject } of asked) reject(reason)
      return
    }
    this.#heldRows += asked.length
    for (const { entry, resolve } of asked) {
      waiting.entries.push(entry)
      resolve()
    }
    this.#options.announce()
    if (waiting.entries.length >= maxRows || waiting.bytes >= maxBytes) this.#insertWaiting()
    else this.#timer ??= setTimeout(this.#bringIn, bringInAfterMs).unref()
  }

  #insertWaiting(): void {
    const batch = this.#waiting
    if (batch.entries.length === 0) return
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#waiting = emptyBatch()
    const part = { entries: batch.entries, strikeOut: this.#journal.turn(), isTried: true }
    this.#follow(
      this.#options.send(batch).then(
        () => this.#end(part, []),
        // One of them is to blame, or the database is gone: each for itself, until it is there.
        () => this.#insertEach(part),
      ),
    )
  }

  async #insertEach(part: Part<Entry>): Promise<void> {
    part.isTried = true
    this.#refused.add(part)
    const ends = await Promise.allSettled(part.entries.map((entry) => entry.writeAlone()))
    const left = part.entries.filter((_, index) => ends[index]?.status === 'rejected')
    const failure = ends.find((end) => end.status === 'rejected')
    if (failure !== undefined && !this.#isWarned) {
      const { message } = toStoreError(failure.reason)
      this.#options.onWarning(`Calls wait in the journal until they can be recorded: ${message}`)
    }
    this.#isWarned = failure !== undefined
    this.#end(part, left)
  }

  #end(part: Part<Entry>, left: readonly Entry[]): void {
    this.#heldRows -= part.entries.length - left.length
    part.entries = left
    part.isTried = false
    if (left.length > 0) {
      this.#retryTimer ??= setTimeout(() => this.#retry(), retryMs).unref()
      return
    }
    this.#refused.delete(part)
    part.strikeOut()
  }

  #retry(): void {
    clearTimeout(this.#retryTimer)
    this.#retryTimer = undefined
    for (const part of this.#refused) if (!part.isTried) this.#follow(this.#insertEach(part))
  }

  #follow(work: Promise<void>): void {
    const followed = work
      .catch((error: unknown) => this.#options.onWarning(`The journal: ${String(error)}`))
      .finally(() => this.#underWay.delete(followed))
    this.#underWay.add(followed)
  }
}

function emptyBatch<Entry>(): LaterBatch<Entry> {
  return { entries: [], parts: [], bytes: 0 }
}

function notWritten(cause: unknown): ToolError {
  const { message } = toStoreError(cause)
  return new ToolError('record_failed', message, {
    fix: 'See that the disk has room, then try again.',
    cause,
  })
}

function closing(): ToolError {
  return new ToolError('shutting_down', 'The store is closing and takes no more writes.', {
    fix: 'Try again once the server is back.',
  })
}

function noRoom(): ToolError {
  return new ToolError('store_unavailable', `${maxHeldRows} calls wait to be recorded.`, {
    fix: 'See that the disk has room and the database answers (toolcrib doctor), then try again.',
  })
}
