import type { LimitCount, LimitStore } from './limit-store.ts'

interface Entry {
  of: LimitCount
  most: number
  /** What the store has for this node, and how much of it is used. */
  held: number
  inUse: number
  waiting: number
  turn: Promise<void> | undefined
  /** The store may have more for this node than it thinks. */
  isDoubtful: boolean
  isShrinkAsked: boolean
  refusedUntil: number
  idleSince: number
}

/** Of large limits a node keeps a few places for the next call; small ones go from hand to hand. */
const spareShare = 20
const keepSpareMs = 1000
/** Somebody who is refused and asks on is answered from memory for so long. */
const refusedForMs = 50

/**
 * Concurrent calls on this node. Places come in blocks, as permits do. Numbers are told to the store
 * whole, so that a lost answer mends itself.
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

  /** The way to give the place back; undefined when there is none. */
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

  /** Gives back what is not used. */
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

  /** What was given back has been told to the store. */
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
    // Whoever had the turn before us may have got enough for all, or been refused just now.
    if (hasRoom(entry) || performance.now() < entry.refusedUntil) return
    const { of, most, inUse } = entry
    const wanted = Math.min(inUse + entry.waiting + Math.floor(most / spareShare), most)
    // Should the answer be lost, the store has more for us than we know.
    entry.isDoubtful = true
    entry.held = await this.#store.holdPlaces(of, { most, wanted, inUse })
    entry.isDoubtful = false
    if (!hasRoom(entry)) entry.refusedUntil = performance.now() + refusedForMs
  }

  async #shrink(entry: Entry): Promise<void> {
    entry.isShrinkAsked = false
    const { of, most, inUse } = entry
    if (entry.held <= inUse && !entry.isDoubtful) return
    // Nobody may take what is being given back.
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
      this.#onWarning(`Places could not be given back yet: ${String(error)}`),
    )
  }
}

function hasRoom({ inUse, held, most }: Entry): boolean {
  return inUse < Math.min(held, most)
}

/** One statement for a count at a time: each says the whole number. */
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
