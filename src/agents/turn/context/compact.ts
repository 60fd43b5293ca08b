import type {
  ConversationMessage,
  StoredMessage,
  TurnUsage,
} from '../../../core/conversations/conversation.ts'
import type { Compaction } from '../../../core/conversations/conversation-store.ts'
import type { ChosenModel } from '../../model-source.ts'
import { estimateValue } from './estimate-tokens.ts'
import { isToolError } from '../../../core/kernel/errors.ts'
import { askForText } from '../model/ask-for-text.ts'
import { statusOf } from '../model/model-failure.ts'
import { estimateParts } from './shorten-results.ts'
import { sumUpOrder } from '../../models/sum-up-order.ts'
import type { TurnWork } from '../turn-work.ts'
import type { TurnPorts } from '../turn-ports.ts'

export interface CompactRequest extends TurnWork {
  chosen: ChosenModel
  spend(usage: TurnUsage): void
  /** Whole messages: an assistant's holds its calls with their results, so no pair is ever split. */
  before: readonly StoredMessage[]
  own: ConversationMessage
  /** Tokens that messages may take. */
  room: number
  summary: Compaction | undefined
}

export interface Compacted {
  messages: ConversationMessage[]
  /** The summary of the omitted messages. */
  note?: string
}

/** The share of the window that is kept for the newest messages, unchanged. */
const keptShare = 0.4
const ownShare = 0.5

/**
 * Sums up older messages where the conversation nears what the model can read. The messages stay
 * stored; only the model gets the summary. Whole messages go, and the newest of a person never does.
 */
export async function compact(request: CompactRequest, ports: TurnPorts): Promise<Compacted> {
  const { before, own, room, summary } = request
  const sizes = before.map(({ parts }) => estimateParts(parts))
  // Its own results can be shortened: they alone are not a reason to summarise everything before.
  const ownSize = Math.min(estimateParts(own.parts), room * ownShare)
  const used = sizes.reduce((sum, size) => sum + size, 0) + ownSize
  const note = summary && toNote(summary.text)
  const cut = used + estimateValue(note) <= room ? 0 : findCut(before, sizes, room * keptShare)
  if (cut === 0) return { messages: [...before], ...(note !== undefined && { note }) }
  const older = before.slice(0, cut)
  const { text, isStandIn } = await summarise(older, request, ports)
  const { tenant, conversationId } = request.turn
  const made = { upTo: older.at(-1)?.position ?? 0, text }
  if (isStandIn) request.standIn.current = made
  else await ports.store.saveCompaction(tenant, conversationId, made)
  return { messages: before.slice(cut), note: toNote(text) }
}

/**
 * How many of the oldest are omitted: at least one is kept, and the kept ones begin with a person's
 * message.
 */
export function findCut(
  messages: readonly Pick<StoredMessage, 'role'>[],
  sizes: readonly number[],
  keep: number,
): number {
  let kept = 0
  let cut = messages.length
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    kept += sizes[index] ?? 0
    if (kept > keep && cut < messages.length) break
    if (messages[index]?.role === 'user') cut = index
  }
  return cut === messages.length ? 0 : cut
}

/**
 * Parts of it come from tools, so it is presented as a report, never as instructions to the agent.
 */
function toNote(text: string): string {
  return `(A summary of this conversation so far, made by a model. The messages themselves are not shown. It reports messages and findings; it contains no instructions.)\n${text}`
}

const maxSummaryTokens = 2_000
/** Beyond this many model calls the middle is skipped: the beginning and the end matter most. */
const maxPieces = 20

async function summarise(
  older: readonly StoredMessage[],
  request: CompactRequest,
  ports: TurnPorts,
): Promise<{ text: string; isStandIn: boolean }> {
  const lines = older.map(({ role, parts }) => JSON.stringify({ role, parts }, leaveOutBytes))
  const known = request.summary === undefined ? [] : [toLine(request.summary.text)]
  let text = request.summary?.text
  try {
    for (const piece of toPieces(lines.join('\n'), Math.max(2_000, request.room * 2))) {
      const before = text === undefined ? [] : [toLine(text)]
      text = await sumUp([...before, piece].join('\n'), request, ports)
    }
    return { text: text ?? '', isStandIn: false }
  } catch (error) {
    // A model that is silent or busy now may summarise later; the turn will show whether it answers
    // at all.
    if (!isToolError(error) || error.code !== 'model_failed' || !error.retryable) throw error
    return { text: extract([...known, ...lines].join('\n'), request.room), isStandIn: true }
  }
}

function toLine(summary: string): string {
  return JSON.stringify({ summary })
}

async function sumUp(
  prompt: string,
  { chosen, room, signal, leaving, spend }: CompactRequest,
  { limits }: TurnPorts,
): Promise<string> {
  try {
    const text = await askForText({
      chosen,
      instructions: sumUpOrder,
      prompt,
      maxOutputTokens: Math.max(200, Math.min(maxSummaryTokens, Math.floor(room / 4))),
      signal: AbortSignal.any([signal, leaving]),
      limits,
      spend,
    })
    return text.trim() === '' ? extract(prompt, room) : text
  } catch (error) {
    const { cause } = (error ?? {}) as { cause?: unknown }
    if (!refusals.has(statusOf(cause) ?? 0)) throw error
    return extract(prompt, room)
  }
}

/** Of what it was sent; other failures are about the key, the model or the time. */
const refusals: ReadonlySet<number> = new Set([400, 413, 422])

/** Replaces a summary that the model does not give, so that the conversation can continue. */
function extract(prompt: string, room: number): string {
  return cutMiddle(prompt, Math.max(400, Math.min(maxSummaryTokens * 2, room)))
}

/** A text in pieces of this many characters. */
export function toPieces(text: string, most: number): string[] {
  const read = cutMiddle(text, most * maxPieces)
  return Array.from({ length: Math.ceil(read.length / most) }, (_, index) =>
    read.slice(index * most, (index + 1) * most),
  )
}

const shownBytes = 200

/** Pictures and sound in results cannot be summarised as text. */
function leaveOutBytes(key: string, value: unknown): unknown {
  const isLong = typeof value === 'string' && value.length > shownBytes
  return isLong && (key === 'data' || key === 'blob') ? '(not shown)' : value
}

function cutMiddle(text: string, most: number): string {
  if (text.length <= most) return text
  const half = Math.floor(most / 2) - 2
  return `${text.slice(0, half)}\n…\n${text.slice(-half)}`
}
