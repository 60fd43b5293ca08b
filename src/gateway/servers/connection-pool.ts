import type { Slot } from './create-slot.ts'

/** The connections of one subject to one server: one that calls share, and others that a call has alone. */
export interface ConnectionPool {
  readonly slots: readonly [Slot, ...Slot[]]
  /** One that no call has for itself. */
  shared(): Slot
  /** One for a single call, until `leave`; undefined while there is none to be had. */
  takeAlone(): Slot | undefined
  leave(slot: Slot): void
}

/** Of one server: a process that asks needs a connection for every call that runs, up to so many. */
const atMost = 8

/** Calls that ask nothing never wait: one connection is always theirs. */
export function createConnectionPool(open: (isSide: boolean) => Slot): ConnectionPool {
  const slots: [Slot, ...Slot[]] = [open(false)]
  const alone = new Set<Slot>()

  function add(): Slot {
    dropTainted()
    const slot = open(true)
    slots.push(slot)
    return slot
  }
  /**
   * Calls given up on it may still ask. The first connection is kept for calls that ask nothing: it
   * may hold state.
   */
  function dropTainted(): void {
    for (const slot of slots.slice(1)) {
      if (!isTainted(slot) || slot.uses() > 0 || alone.has(slot)) continue
      slots.splice(slots.indexOf(slot), 1)
      void slot.retire()
    }
  }
  return {
    slots,
    shared: () => slots.find((slot) => !alone.has(slot)) ?? add(),
    takeAlone() {
      if (alone.size >= atMost - 1) return undefined
      dropTainted()
      const isFree = (slot: Slot) => slot.uses() === 0 && !alone.has(slot) && !isTainted(slot)
      const free = slots.find(isFree) ?? (slots.length < atMost ? add() : undefined)
      if (free !== undefined) alone.add(free)
      return free
    },
    leave(slot) {
      alone.delete(slot)
      dropTainted()
    },
  }
}

function isTainted(slot: Slot): boolean {
  return slot.opened()?.upstream.peer.hasStrays === true
}
