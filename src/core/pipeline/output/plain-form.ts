/** An object reduced to a form that JSON has; its members are still to be converted. */
export type PlainForm =
  | { kind: 'array'; items: ArrayLike<unknown> }
  | { kind: 'object'; source: object }
  | { kind: 'value'; value: unknown }
  | { kind: 'lost'; reason: string }

/** `Object('a')` and the like: wrapped primitives. */
const boxes = new Set<unknown>([
  String.prototype,
  Number.prototype,
  Boolean.prototype,
  BigInt.prototype,
])

/** The JSON form of an object. Throws if the object's own code does. */
export function toPlainForm(value: object): PlainForm {
  if (Array.isArray(value)) return { kind: 'array', items: value }
  const prototype: unknown = Object.getPrototypeOf(value)
  // Bytes come before toJSON: a Buffer's own toJSON would return an array of numbers.
  if (prototype !== Object.prototype && prototype !== null) {
    const bytes = toBytes(value)
    if (bytes) return { kind: 'object', source: { base64: toBase64(bytes), bytes: bytes.length } }
  }
  const { toJSON } = value as { toJSON?: unknown }
  if (typeof toJSON === 'function') {
    const replaced: unknown = toJSON.call(value, '')
    return replaced === value
      ? { kind: 'object', source: value }
      : { kind: 'value', value: replaced }
  }
  if (prototype === Object.prototype || prototype === null) return { kind: 'object', source: value }
  return toKnownForm(value) ?? { kind: 'object', source: value }
}

function toKnownForm(value: object): PlainForm | undefined {
  if (value instanceof Error) return { kind: 'object', source: toErrorFacts(value) }
  if (value instanceof Map) return toMapForm(value)
  if (value instanceof Set) return { kind: 'array', items: [...value] }
  if (ArrayBuffer.isView(value))
    return { kind: 'array', items: value as unknown as ArrayLike<unknown> }
  if (value instanceof Promise) return { kind: 'lost', reason: 'a promise was not awaited' }
  if (value instanceof RegExp) return { kind: 'value', value: String(value) }
  const isBoxed = boxes.has(Object.getPrototypeOf(value))
  return isBoxed ? { kind: 'value', value: value.valueOf() } : undefined
}

/** Without the stack: it describes the machine, not the failure. */
function toErrorFacts(error: Error): object {
  const { code } = error as { code?: unknown }
  const hasCode = typeof code === 'string' || typeof code === 'number'
  return { name: error.name, message: error.message, ...(hasCode && { code }) }
}

function toMapForm(map: Map<unknown, unknown>): PlainForm {
  const entries = [...map]
  if (!entries.every(([key]) => typeof key === 'string')) return { kind: 'array', items: entries }
  return { kind: 'object', source: Object.fromEntries(entries) }
}

function toBytes(value: object): Uint8Array | undefined {
  if (value instanceof Uint8Array) return value
  if (value instanceof Uint8ClampedArray || value instanceof DataView) {
    return new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
  }
  return value instanceof ArrayBuffer || value instanceof SharedArrayBuffer
    ? new Uint8Array(value)
    : undefined
}

function toBase64(bytes: Uint8Array): string {
  let binary = ''
  // In chunks, because every byte becomes an argument, and arguments are pushed onto the stack.
  for (let start = 0; start < bytes.length; start += 8192) {
    binary += String.fromCharCode(...bytes.subarray(start, start + 8192))
  }
  return btoa(binary)
}
