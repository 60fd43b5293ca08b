import type { MasterKeyRing } from '../master-key.ts'

/** A ring that changes while the store is open: its holders always read the current one. */
export interface LiveRing extends MasterKeyRing {
  /** Seals with this key from now on. */
  use(id: string): void
  /** Takes in a key; one that is there already stays as it is. */
  add(id: string, key: Uint8Array): void
  remove(id: string): void
}

/** A ring that begins as the given one. */
export function createLiveRing(given: MasterKeyRing): LiveRing {
  const keys = new Map(given.keys)
  let activeId = given.activeId
  return {
    get activeId() {
      return activeId
    },
    keys,
    use: (id) => void (activeId = id),
    add: (id, key) => void (keys.has(id) || keys.set(id, key)),
    remove: (id) => void keys.delete(id),
  }
}
