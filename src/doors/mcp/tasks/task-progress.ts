import { askOperation } from '../../../features/ask-operation.ts'
import type { CallRecord } from '../../../core/kernel/call.ts'
import type { CallOutput } from '../../../core/kernel/call-request.ts'
import type { McpShared, McpRequest } from '../mcp-shared.ts'

interface Heard {
  /** Read on from here. */
  next?: string
  message?: string
}

/** Tasks that are asked about are remembered, so that each poll reads only what is new. */
const heldAtMost = 1_000
const heard = new WeakMap<McpShared, Map<string, Heard>>()
const maxMessageChars = 500

/** The latest progress of a running call, for clients that poll its task. */
export async function readTaskProgress(
  { callId }: CallRecord,
  { shared, requestContext }: Pick<McpRequest, 'shared' | 'requestContext'>,
): Promise<string | undefined> {
  const known = heard.get(shared) ?? new Map<string, Heard>()
  heard.set(shared, known)
  const before = known.get(callId)
  const { caller } = requestContext
  const after = before?.next
  const query = { callId, types: ['call.output'], limit: 1000, after }
  const page = await askOperation({ api: shared.api, caller }, 'readEvents', query).catch(
    () => undefined,
  )
  if (page === undefined) return before?.message
  const words = page.items.flatMap((event) =>
    event.type === 'call.output' ? (toWords(event.data) ?? []) : [],
  )
  const message = words.at(-1) ?? before?.message
  known.delete(callId)
  known.set(callId, { next: page.next, ...(message !== undefined && { message }) })
  if (known.size > heldAtMost) known.delete(known.keys().next().value ?? '')
  return message
}

function toWords(output: CallOutput): string | undefined {
  if ('partial' in output) return undefined
  const { done, total, message, text } = output.progress
  const figures = done === undefined ? '' : total === undefined ? `${done}` : `${done} of ${total}`
  const said = [figures, message ?? text ?? ''].filter((part) => part !== '').join(': ')
  return said === '' ? undefined : said.slice(0, maxMessageChars)
}
