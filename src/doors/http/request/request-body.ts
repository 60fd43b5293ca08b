import { ToolError } from '../../../core/kernel/errors.ts'
import { createTurns } from '../../../core/kernel/map-in-turns.ts'
import type { HttpRequest } from './http-request.ts'
import { findJsonFault, isNestedDeeperThan } from './json-text.ts'

export interface BodyLimits {
  maxBodyBytes: number
  maxJsonDepth: number
}

const jsonType = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i
const foreignCharset = /;\s*charset\s*=\s*(?!"?utf-?8\b)/i
const decoder = new TextDecoder('utf-8', { fatal: true })

/**
 * The JSON of a request, or undefined when it has no body. Refuses what is too large from its
 * declared length alone, and otherwise as soon as the bytes that came are too many.
 */
export async function readJsonBody(request: HttpRequest, limits: BodyLimits): Promise<unknown> {
  const bytes = await readBody(request, limits.maxBodyBytes)
  if (bytes.byteLength === 0) return undefined
  const turn = turnForBody(bytes.byteLength)
  if (turn !== undefined) await turn
  checkContentType(request.header('content-type'))
  return parseJsonText(decodeText(bytes), limits.maxJsonDepth)
}

const heavyBytes = 65_536
const nextTurn = createTurns()

/** Reading and judging a large body takes tens of milliseconds: each in a turn of its own. */
export function turnForBody(bytes: number): Promise<void> | undefined {
  return bytes > heavyBytes ? nextTurn() : undefined
}

/** Does this content type say JSON? */
export function isJsonType(type: string | undefined): boolean {
  return type !== undefined && jsonType.test(type)
}

/** The body as it comes; a coded error when it is too large or breaks off. */
export async function readBody(request: HttpRequest, maxBytes: number): Promise<Uint8Array> {
  checkEncoding(request.header('content-encoding'))
  try {
    return await request.readBytes(maxBytes, () => tooLarge(maxBytes))
  } catch (error) {
    if (error instanceof ToolError) throw error
    const message = 'The body ended before it was complete'
    throw new ToolError('invalid_request', message, { cause: error })
  }
}

function tooLarge(maxBytes: number): ToolError {
  return new ToolError('body_too_large', `The body is larger than ${maxBytes} bytes`, {
    fix: 'Send less, or hand large content to the tool by reference.',
  })
}

/** Nothing is unpacked here: what is packed would be taken, and kept, for what it is not. */
export function checkEncoding(encoding: string | undefined): void {
  if (encoding === undefined || /^\s*(?:identity)?\s*$/i.test(encoding)) return
  throw new ToolError('unsupported_media_type', 'The body must not be compressed', {
    fix: 'Send it as it is, without the header content-encoding.',
  })
}

function checkContentType(type: string | undefined): void {
  if (type !== undefined && jsonType.test(type) && !foreignCharset.test(type)) return
  throw new ToolError('unsupported_media_type', 'The body must be JSON in UTF-8', {
    fix: 'Send the header content-type: application/json.',
  })
}

function decodeText(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch (error) {
    throw new ToolError('invalid_request', 'The body is not valid UTF-8', { cause: error })
  }
}

/** Text in, JSON value out; refuses what nests too deep before anything recursive sees it. */
export function parseJsonText(text: string, maxDepth: number): unknown {
  if (isNestedDeeperThan(text, maxDepth)) {
    throw new ToolError('invalid_request', `The JSON nests deeper than ${maxDepth} levels`)
  }
  try {
    return JSON.parse(text)
  } catch {
    // The engine's message is left behind: it quotes the body, which may hold a secret.
    const fault = findJsonFault(text)
    if (fault === undefined) throw new ToolError('invalid_request', 'The body is not JSON')
    const place = `position ${fault.position} (line ${fault.line}, column ${fault.column})`
    throw new ToolError(
      'invalid_request',
      `The body is not JSON: expected ${fault.expected} at ${place}`,
    )
  }
}
