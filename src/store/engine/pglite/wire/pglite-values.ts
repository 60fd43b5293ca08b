import { types } from '@electric-sql/pglite'

/** The arrays of PostgreSQL's own types, whose numbers never change, and what is in them. */
const arrays = new Map([
  [199, types.JSON],
  [1000, types.BOOL],
  [1001, types.BYTEA],
  [1005, types.INT2],
  [1007, types.INT4],
  [1009, types.TEXT],
  [1014, types.BPCHAR],
  [1015, types.VARCHAR],
  [1016, types.INT8],
  [1021, types.FLOAT4],
  [1022, types.FLOAT8],
  [1028, types.OID],
  [1115, types.TIMESTAMP],
  [1182, types.DATE],
  [1185, types.TIMESTAMPTZ],
  [1231, types.NUMERIC],
  [2951, types.UUID],
  [3807, types.JSONB],
])

/** PGlite goes byte by byte through strings, which holds up everybody for a second with a file of 10 MB. */
const hexMark = String.raw`\x`
const toBytes = (text: string) => new Uint8Array(Buffer.from(text.slice(hexMark.length), 'hex'))
const fromBytes = (value: unknown) => hexMark + Buffer.from(value as Uint8Array).toString('hex')

export const parsers: Record<number, (text: string, type?: number) => unknown> = {
  ...types.parsers,
  [types.BYTEA]: toBytes,
  ...ofArrays((array, item) => {
    const parse = item === types.BYTEA ? toBytes : (types.parsers[item] ?? String)
    return (text: string) => types.arrayParser(text, parse, array) as unknown
  }),
}

const serializers: Record<number, (value: unknown) => string> = {
  ...types.serializers,
  [types.BYTEA]: fromBytes,
  ...ofArrays((array, item) => {
    const serialize = item === types.BYTEA ? fromBytes : types.serializers[item]
    return (value: unknown) => types.arraySerializer(value, serialize, array)
  }),
}

function ofArrays<T>(make: (array: number, item: number) => T): Record<number, T> {
  return Object.fromEntries([...arrays].map(([array, item]) => [array, make(array, item)]))
}

/** A value as text, by the type that the statement wants. */
export function toText(value: unknown, type: number | undefined): string | null {
  if (value === null || value === undefined) return null
  return (serializers[type ?? 0] ?? String)(value)
}

/** The value of a text, by its type. */
export function toValue(text: string | null, type: number): unknown {
  if (text === null) return null
  return parsers[type]?.(text, type) ?? text
}
