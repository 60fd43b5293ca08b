/**
 * Caches the result of `make` for two objects by identity, for as long as both live. Only for pure
 * functions of immutable objects: a changed object must be a new object.
 */
export function cachePair<A extends object, B extends object, V extends object>(
  make: (first: A, second: B) => V,
): (first: A, second: B) => V {
  const byFirst = new WeakMap<A, WeakMap<B, V>>()
  return (first, second) => {
    let bySecond = byFirst.get(first)
    if (bySecond === undefined) byFirst.set(first, (bySecond = new WeakMap()))
    let value = bySecond.get(second)
    if (value === undefined) bySecond.set(second, (value = make(first, second)))
    return value
  }
}

/** The same for a single object. */
export function cacheByIdentity<A extends object, V extends object>(
  make: (key: A) => V,
): (key: A) => V {
  const values = new WeakMap<A, V>()
  return (key) => {
    let value = values.get(key)
    if (value === undefined) values.set(key, (value = make(key)))
    return value
  }
}
