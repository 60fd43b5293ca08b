import type { LimitCount, LimitStore } from './limit-store.ts'

interface Entry {
  of: LimitCount
  most: number
  /** The slots this node holds in the store, and how many are in use. */
  held: number
  inUse: number
  waiting: number
  turn: Promise<void> | undefined
  /** The store may hold more for this node than it knows. */
  isDoubtful: boolean
  isShrinkAsked: boolean
  refusedUntil: number
  idleSince: number
}

/**
 * For large limits a node keeps a few spare slots for the next call; small ones pass from node to
 * node.
 */
const spareShare = 20
const keepSpareMs = 1000
/** A refused caller that keeps asking is answered from memory for this long. */
const refusedForMs = 50

/**
 * Concurrent calls on this node. Slots are taken in blocks, like permits. The store gets absolute
 * numbers, so that a lost answer corrects itself.
 */
export class Places {
  readonly #store: Pick<LimitStore, 'holdPlaces'>
  readonly #onWarning: (message: string) => void
  readonly #entries = new Map<string, Entry>()

  constructor(store: Pick<LimitStore, 'holdPlaces'>, onWarning: (message: string) => void) {
    this.#store = store
    this.#onWarning = onWarning
  }

  get size(): number {
    return this.#entries.size
  }

  /** Returns a function that releases the slot; undefined when there is none. */
  async take(of: LimitCount, most: number): Promise<(() => void) | undefined> {
    if (most <= 0) return undefined
    const entry = this.#find(of, most)
    if (!hasRoom(entry)) {
      entry.waiting += 1
      try {
        await inTurn(entry, () => this.#grow(entry))
      } finally {
        entry.waiting -= 1
      }
      if (!hasRoom(entry)) return undefined
    }
    entry.inUse += 1
    let isGiven = false
    return () => {
      if (isGiven) return
      isGiven = true
      this.#release(entry)
    }
  }

  /** Releases unused slots. */
  async tick(): Promise<void> {
    const oldest = performance.now() - keepSpareMs
    for (const [key, entry] of this.#entries) {
      const isIdle = entry.turn === undefined && entry.waiting === 0 && entry.idleSince <= oldest
      if (!isIdle) continue
      if (entry.held > entry.inUse || entry.isDoubtful) this.#shrinkLater(entry)
      else if (entry.inUse === 0) this.#entries.delete(key)
    }
    await this.flush()
  }

  /** Resolves when the store knows of all released slots. */
  async flush(): Promise<void> {
    await Promise.all([...this.#entries.values()].flatMap(({ turn }) => turn ?? []))
  }

  #find(of: LimitCount, most: number): Entry {
    const key = `${of.tenant}\n${of.limit}\n${of.subject}`
    const known = this.#entries.get(key)
    if (known !== undefined) {
      known.most = most
      return known
    }
    const entry: Entry = {
      of,
      most,
      held: 0,
      inUse: 0,
      waiting: 0,
      turn: undefined,
      isDoubtful: false,
      isShrinkAsked: false,
      refusedUntil: -Infinity,
      idleSince: performance.now(),
    }
    this.#entries.set(key, entry)
    return entry
  }

  async #grow(entry: Entry): Promise<void> {
    // The previous request may have obtained enough for all, or just been refused.
    if (hasRoom(entry) || performance.now() < entry.refusedUntil) return
    const { of, most, inUse } = entry
    const wanted = Math.min(inUse + entry.waiting + Math.floor(most / spareShare), most)
    // If the answer is lost, the store holds more for us than we know.
    entry.isDoubtful = true
    entry.held = await this.#store.holdPlaces(of, { most, wanted, inUse })
    entry.isDoubtful = false
    if (!hasRoom(entry)) entry.refusedUntil = performance.now() + refusedForMs
  }

  async #shrink(entry: Entry): Promise<void> {
    entry.isShrinkAsked = false
    const { of, most, inUse } = entry
    if (entry.held <= inUse && !entry.isDoubtful) return
    // Nobody may take slots that are being released.
    entry.held = inUse
    entry.isDoubtful = true
    await this.#store.holdPlaces(of, { most, wanted: inUse, inUse })
    entry.isDoubtful = false
  }

  #release(entry: Entry): void {
    entry.inUse -= 1
    entry.refusedUntil = -Infinity
    entry.idleSince = performance.now()
    if (Math.floor(entry.most / spareShare) === 0) this.#shrinkLater(entry)
  }

  #shrinkLater(entry: Entry): void {
    if (entry.isShrinkAsked) return
    entry.isShrinkAsked = true
    inTurn(entry, () => this.#shrink(entry)).catch((error: unknown) =>
      this.#onWarning(`Slots could not be released yet: ${String(error)}`),
    )
  }
}

function hasRoom({ inUse, held, most }: Entry): boolean {
  return inUse < Math.min(held, most)
}

/** One statement at a time per count: each sends the whole number. */
function inTurn(entry: Entry, work: () => Promise<void>): Promise<void> {
  const mine = (entry.turn ?? Promise.resolve()).then(work)
  const settled: Promise<void> = mine
    .catch(() => undefined)
    .finally(() => {
      if (entry.turn === settled) entry.turn = undefined
    })
  entry.turn = settled
  return mine
}
