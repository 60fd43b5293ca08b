import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'

/** A place in a list as clients carry it: opaque, and the name of what came last. */
export function toCursor(last: string): string {
  return Buffer.from(last, 'utf8').toString('base64url')
}

/** Where to read on; refuses what was not made by us. */
export function fromCursor(cursor: unknown): string | undefined {
  if (cursor === undefined) return undefined
  const text = typeof cursor === 'string' ? Buffer.from(cursor, 'base64url').toString('utf8') : ''
  if (text !== '' && toCursor(text) === cursor) return text
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'This cursor is none of ours')
}
