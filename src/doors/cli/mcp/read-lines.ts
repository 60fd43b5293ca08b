import type { Readable } from 'node:stream'
import type { JSONRPCMessage } from '@modelcontextprotocol/client'
import { isRecord } from '../../../core/kernel/json/json-type.ts'

/** The answer to a line that is not a message. JSON-RPC requires null where there is no id. */
export interface LineRefusal {
  jsonrpc: '2.0'
  id: string | number | null
  error: { code: number; message: string }
}

export interface LineReader {
  onMessage(message: JSONRPCMessage): void
  onRefused(refusal: LineRefusal): void
  /** Called with problems that cannot be answered. */
  onWarning(message: string): void
}

const newline = 0x0a

/** Reads a client's messages from stdio, one a line. Throws if a line is too long. */
export async function readLines(
  stdin: Readable,
  maxBytes: number,
  reader: LineReader,
): Promise<void> {
  let held: Buffer[] = []
  let heldBytes = 0
  for await (const chunk of stdin as AsyncIterable<Buffer | string>) {
    let rest = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    for (let end = rest.indexOf(newline); end >= 0; end = rest.indexOf(newline)) {
      readLine(Buffer.concat([...held, rest.subarray(0, end)]).toString('utf8'), reader)
      held = []
      heldBytes = 0
      rest = rest.subarray(end + 1)
    }
    held.push(rest)
    heldBytes += rest.length
    if (heldBytes > maxBytes) throw new Error(`A message can have at most ${maxBytes} bytes.`)
  }
}

const parseError = -32_700
export const invalidRequest = -32_600

/**
 * Over HTTP the server answers malformed messages; here it would not know which client to answer.
 */
function readLine(line: string, reader: LineReader): void {
  if (line.trim() === '') return
  const value = parseLine(line)
  if (value === undefined) {
    const error = { code: parseError, message: 'The line is not JSON' }
    return reader.onRefused({ jsonrpc: '2.0', id: null, error })
  }
  if (isMessage(value)) return reader.onMessage(value)
  // Two that answer each other's answers would never end.
  if (isAnswer(value))
    return reader.onWarning('The client sent an answer that is not valid JSON-RPC.')
  const error = {
    code: invalidRequest,
    message: Array.isArray(value)
      ? 'Batches are not supported: send one request at a time'
      : 'The line is not a valid JSON-RPC message',
  }
  const id = isRecord(value) && isId(value['id']) ? value['id'] : null
  reader.onRefused({ jsonrpc: '2.0', id, error })
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** As far as it has to be understood here; the server looks closer. */
function isMessage(value: unknown): value is JSONRPCMessage {
  if (!isRecord(value) || value['jsonrpc'] !== '2.0') return false
  const { id, method, params = {}, result, error } = value
  if (id !== undefined && !isId(id)) return false
  if (method !== undefined) return typeof method === 'string' && isRecord(params)
  return id !== undefined && (isRecord(result) || isRecord(error))
}

function isAnswer(value: unknown): boolean {
  return isRecord(value) && value['method'] === undefined && ('result' in value || 'error' in value)
}

function isId(id: unknown): id is string | number {
  return typeof id === 'string' || typeof id === 'number'
}
