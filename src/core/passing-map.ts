/**
 * A map whose entries soon go again. The tables that a plain `Map` leaves behind as it changes point
 * from each to the next, with what they held; once one of them is old, everything that passes through
 * the map outlives it, until the engine next looks through the whole memory. Here they hold a cell
 * that is emptied when its entry goes.
 */
export class PassingMap<Key, Value> {
  readonly #cells = new Map<Key, { value: Value | undefined }>()

  get size(): number {
    return this.#cells.size
  }

  get(key: Key): Value | undefined {
    return this.#cells.get(key)?.value
  }

  set(key: Key, value: Value): void {
    const known = this.#cells.get(key)
    if (known === undefined) this.#cells.set(key, { value })
    else known.value = value
  }

  delete(key: Key): boolean {
    const cell = this.#cells.get(key)
    if (cell !== undefined) cell.value = undefined
    return this.#cells.delete(key)
  }

  clear(): void {
    for (const cell of this.#cells.values()) cell.value = undefined
    this.#cells.clear()
  }

  keys(): Iterable<Key> {
    return this.#cells.keys()
  }

  *values(): Generator<Value> {
    for (const { value } of this.#cells.values()) yield value as Value
  }
}
