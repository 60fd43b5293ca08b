/** Freezes a JSON value all the way down. Its depth is bounded by whoever checked it. */
export function freezeJson<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const inner of Object.values(value)) freezeJson(inner)
  return Object.freeze(value)
}
