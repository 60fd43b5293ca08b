/** Appends a key to a JSON pointer (RFC 6901). */
export function pointerStep(path: string, key: string | number): string {
  if (typeof key === 'number') return `${path}/${key}`
  const escaped = /[~/]/.test(key) ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key
  return `${path}/${escaped}`
}

/** The JSON pointer for a list of keys. */
export function toPointer(keys: readonly PropertyKey[]): string {
  return keys.reduce<string>(
    (path, key) => pointerStep(path, typeof key === 'number' ? key : String(key)),
    '',
  )
}

/** The keys of a JSON pointer. */
export function fromPointer(pointer: string): string[] {
  if (pointer === '') return []
  const parts = pointer.split('/').slice(1)
  return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The value at a pointer, following own keys only; undefined if there is none. */
export function findByPointer(root: unknown, pointer: string): unknown {
  let found: unknown = root
  for (const key of fromPointer(pointer)) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined
    found = (found as Record<string, unknown>)[key]
  }
  return found
}
