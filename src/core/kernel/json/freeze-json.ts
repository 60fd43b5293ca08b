/** Freezes a JSON value recursively. The caller must have checked its depth. */
export function freezeJson<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const inner of Object.values(value)) freezeJson(inner)
  return Object.freeze(value)
}
