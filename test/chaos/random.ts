/** Chance that can be had again: the same seed gives the same choices. */
export interface Random {
  /** From 0 up to, and never, 1. */
  next(): number
  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number
  chance(probability: number): boolean
  pick<Item>(items: readonly Item[]): Item
  /** The same items in another order. */
  shuffle<Item>(items: readonly Item[]): Item[]
  /** A chance of its own: how often one is asked does not change what the other says. */
  fork(name: string): Random
}

/** Mulberry32: small, quick, and even enough to throw dice with. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  return {
    next,
    between,
    chance: (probability) => next() < probability,
    pick(items) {
      if (items.length === 0) throw new Error('There is nothing to pick from')
      return items[between(0, items.length - 1)] as (typeof items)[number]
    },
    shuffle(items) {
      const left = [...items]
      return items.map(
        () => left.splice(between(0, left.length - 1), 1)[0] as (typeof items)[number],
      )
    },
    fork: (name) => createRandom(hashText(`${seed} ${name}`)),
  }
}

/** FNV-1a. */
function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (const character of text) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  }
  return hash >>> 0
}
