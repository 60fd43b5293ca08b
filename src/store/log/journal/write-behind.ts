import { ToolError } from '../../../core/kernel/errors.ts'
import { encodePart } from '../../engine/composite-rows.ts'
import type { Columns, RowField } from '../../engine/composite-rows.ts'
import type { Deferral } from '../../engine/engine.ts'
import { Journal } from './journal.ts'
import { isRowFault, toStoreError } from '../../engine/store-error.ts'

/** One row that is safe in the journal before it is in its table. */
export interface DeferredEntry {
  readonly row: readonly RowField[]
  /** Writes the call with its own statement, whatever exists already. */
  writeAlone(): Promise<unknown>
}

/** Rows in the journal that go into their tables together. */
export interface DeferredBatch<Entry> {
  readonly entries: Entry[]
  /** Their rows, encoded. */
  readonly parts: Uint8Array[]
  bytes: number
}

interface WriteBehindOptions<Entry> {
  deferral: Deferral
  columns: Columns
  /** In a turn that must be asked for before this returns. Resolves with those that the database refused. */
  send(batch: DeferredBatch<Entry>): Promise<readonly Entry[]>
  /** There is something new to be seen. */
  announce(): void
  onWarning(message: string): void
}

/** The entries of one part of the journal, which is struck out with the last of them. */
interface Part<Entry> {
  entries: readonly Entry[]
  readonly bytes: number
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
/** Rows on their way to the database. */
const maxAhead = 2 * maxRows
/** While the database takes nothing. */
const maxHeldRows = 8_192
const maxHeldBytes = 64 * 1024 * 1024
const retryMs = 500

/**
 * Puts rows into a journal, and into their tables with many others, at the latest when somebody asks
 * for them. On the embedded engine a statement takes some 250 µs and each row of it 25 more; eight
 * callers at a time, each of whom waits for an answer before the next question, fill it with four.
 */
export class WriteBehind<Entry extends DeferredEntry> {
  readonly #options: WriteBehindOptions<Entry>
  readonly #journal: Journal
  readonly #underWay = new Set<Promise<void>>()
  readonly #bringIn = () => this.#insertWaiting()
  #asked: Asked<Entry>[] = []
  #waiting: DeferredBatch<Entry> = emptyBatch()
  #aheadRows = 0
  #heldRows = 0
  #heldBytes = 0
  /** Rows that the database refused. */
  readonly #refused = new Set<Part<Entry>>()
  #isWarned = false
  #timer: NodeJS.Timeout | undefined
  #retryTimer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(options: WriteBehindOptions<Entry>) {
    this.#options = options
    this.#journal = new Journal(options.deferral.folder, JSON.stringify(options.columns))
    options.deferral.onUse(this.#bringIn)
  }

  /** In the journal when it resolves, and in its table before anybody looks there. */
  write(entry: Entry): Promise<void> {
    if (this.#isClosed) return Promise.reject(closing())
    const isFull = this.#heldRows >= maxHeldRows || this.#heldBytes >= maxHeldBytes
    if (isFull) return Promise.reject(noRoom(this.#heldRows))
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
    this.#retry()
    do {
      this.#writeDown()
      this.#insertWaiting()
      await Promise.all(this.#underWay)
    } while (this.#underWay.size > 0 || this.#asked.length > 0)
  }

  /** Rows that the database refuses stay in the journal. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.flush()
    clearTimeout(this.#retryTimer)
    this.#options.deferral.onUse(() => {})
    this.#journal.close()
  }

  /** Back-pressure: a writer faster than the database waits here. */
  #writeDown(): void {
    while (this.#asked.length > 0 && this.#aheadRows < maxAhead) {
      // Never one array for ever: what an old one has held lives as long as it does.
      const asked = this.#asked
      this.#asked = asked.slice(maxRows)
      this.#writePart(asked.length > maxRows ? asked.slice(0, maxRows) : asked)
    }
  }

  #writePart(asked: readonly Asked<Entry>[]): void {
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
    const isMuch = waiting.entries.length >= maxRows || waiting.bytes >= maxBytes
    if (isMuch) this.#insertWaiting()
    else this.#timer ??= setTimeout(this.#bringIn, bringInAfterMs).unref()
    this.#announce()
  }

  /** Listeners may look at once, and must not be able to stop what others wait for. */
  #announce(): void {
    try {
      this.#options.announce()
    } catch (error) {
      this.#options.onWarning(`Followers of events could not be notified: ${String(error)}`)
    }
  }

  #insertWaiting(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const batch = this.#waiting
    if (batch.entries.length === 0) return
    this.#waiting = emptyBatch()
    this.#heldBytes += batch.bytes
    const { entries, bytes } = batch
    const count = entries.length
    const part = { entries, bytes, strikeOut: this.#journal.turn(), isTried: true }
    this.#aheadRows += count
    this.#follow(
      this.#options.send(batch).then(
        // Each for itself: it may be there already.
        (refused) => (refused.length === 0 ? this.#end(part, []) : this.#insertEach(part, refused)),
        // The database is down: keep all of them until it is back.
        () => this.#insertEach(part, entries),
      ),
      () => {
        this.#aheadRows -= count
        this.#writeDown()
      },
    )
  }

  async #insertEach(part: Part<Entry>, entries: readonly Entry[]): Promise<void> {
    this.#heldRows -= part.entries.length - entries.length
    part.entries = entries
    part.isTried = true
    this.#refused.add(part)
    const ends = await Promise.allSettled(entries.map((entry) => entry.writeAlone()))
    const left = entries.filter((entry, index) => {
      const end = ends[index]
      return end?.status === 'rejected' && !this.#giveUp(entry, end.reason)
    })
    const failure = ends.find((end) => end.status === 'rejected')
    if (left.length > 0 && failure !== undefined && !this.#isWarned) {
      const { message } = toStoreError(failure.reason)
      this.#options.onWarning(`Calls wait in the journal until they can be recorded: ${message}`)
    }
    this.#isWarned = left.length > 0
    this.#end(part, left)
  }

  /** True where no further try would help: it is set aside for people to look at. */
  #giveUp({ row }: Entry, error: unknown): boolean {
    if (!isRowFault((error as { cause?: unknown }).cause)) return false
    const { message } = toStoreError(error)
    try {
      const name = `unrecorded-${String(row[idIndex])}`
      const path = this.#journal.setAside(name, encodePart(this.#options.columns, [row]))
      this.#options.onWarning(`A call can't be recorded and is kept in ${path}: ${message}`)
      return true
    } catch {
      return false
    }
  }

  #end(part: Part<Entry>, left: readonly Entry[]): void {
    this.#heldRows -= part.entries.length - left.length
    part.entries = left
    part.isTried = false
    if (left.length > 0) {
      if (!this.#isClosed) this.#retryTimer ??= setTimeout(() => this.#retry(), retryMs).unref()
      return
    }
    this.#refused.delete(part)
    this.#heldBytes -= part.bytes
    part.strikeOut()
  }

  #retry(): void {
    clearTimeout(this.#retryTimer)
    this.#retryTimer = undefined
    for (const part of this.#refused) {
      if (!part.isTried) this.#follow(this.#insertEach(part, part.entries))
    }
  }

  #follow(work: Promise<void>, after = () => {}): void {
    const followed = work
      .catch((error: unknown) => this.#options.onWarning(`The journal: ${String(error)}`))
      .finally(() => {
        this.#underWay.delete(followed)
        after()
      })
    this.#underWay.add(followed)
  }
}

function emptyBatch<Entry>(): DeferredBatch<Entry> {
  return { entries: [], parts: [], bytes: 0 }
}

function notWritten(cause: unknown): ToolError {
  const { message } = toStoreError(cause)
  return new ToolError('record_failed', message, {
    fix: 'Check the disk space, then try again.',
    cause,
  })
}

function closing(): ToolError {
  return new ToolError('shutting_down', 'The store is closing and takes no more writes.', {
    fix: 'Try again once the server is back.',
  })
}

function noRoom(heldRows: number): ToolError {
  return new ToolError('store_unavailable', `${heldRows} calls wait to be recorded.`, {
    fix: 'Check the disk space and the database (toolcrib doctor), then try again.',
  })
}
