import type { ModelMessage, ToolModelMessage, ToolResultPart } from 'ai'
import { isToolError } from '../../core/kernel/errors.ts'
import type { OfferedTool } from '../../core/offer/tool-offer.ts'
import type { ToolPort } from '../../core/offer/tool-port.ts'
import type { OutputMedia } from '../../core/models/provider-apis.ts'
import { findOpenApprovals, type OpenApproval } from './history.ts'
import {
  describeError,
  type ModelOutput,
  toModelError,
  toModelOutput,
  toToolOutput,
} from './tool-output.ts'
import type { Outcome, SdkRun } from './tool-run.ts'
import { isUnanswered } from './unanswered.ts'

/** A call that still waits for a person. */
export interface WaitingCall {
  toolCallId: string
  /** Its wire name: behind `tools_call`, that of the tool that it names. */
  tool: string
  callId?: string
  approvalId?: string
}

/** A history with true answers, and what has none yet. */
export interface Resumed {
  /** For the next call of the model. */
  messages: ModelMessage[]
  /** While there are any, the model cannot continue: it would get results that do not exist. */
  waiting: WaitingCall[]
}

interface Standing {
  open: OpenApproval
  outcome: Outcome | undefined
  /** The wire name of what it is about. */
  tool: string
}

interface Resuming {
  run: SdkRun
  port: Pick<ToolPort, 'findTool'>
  media: OutputMedia
  /** The set's tool of this name, for as long as the crib cannot be asked. */
  known(wireName: string): OfferedTool | undefined
}

/**
 * Replaces the approvals in a history by those in the crib. Answers are passed on first if there is
 * a way to (`decide`). Then each call is marked approved if it was released, rejected with the
 * reason if it was rejected or has expired, and unmarked if nobody has decided. If the conversation
 * continued since, or the call is invalid, results are inserted instead. Throws when the crib
 * refuses the request, as with a revoked key: that decides nothing.
 */
export async function resumeHistory(
  messages: readonly ModelMessage[],
  resuming: Resuming,
): Promise<Resumed> {
  const { media } = resuming
  const found = await Promise.all(
    findOpenApprovals(messages).map((open) => standingOf(open, resuming)),
  )
  const standings = found.flatMap((standing) => standing ?? [])
  const isLast = ({ open }: Standing) =>
    messages.slice(open.index + 1).every(({ role }) => role === 'tool')
  // A failure before there was a call is nobody's answer: it becomes a result, too.
  const isAnswered = (standing: Standing) => isLast(standing) && !isFault(standing.outcome)
  const last = standings.filter(isAnswered)
  const passed = standings.filter((standing) => !isAnswered(standing))
  const waiting = last.filter(({ outcome }) => isUndecided(outcome))
  const answers = last.filter(({ outcome }) => !isUndecided(outcome)).map(toAnswer)
  const bare = withoutAnswers(messages, standings)
  const filled = passed.reduce(
    (whole, { open, outcome }) =>
      insertResult(whole, messages[open.index], {
        type: 'tool-result',
        toolCallId: open.toolCallId,
        toolName: open.toolName,
        output: toResult(outcome, media),
      }),
    bare,
  )
  return {
    messages: answers.length === 0 ? filled : withAnswers(filled, answers),
    waiting: waiting.map(toWaiting),
  }
}

/**
 * How the crib has the call, by its run and id: the name that it was called by may be another tool's
 * by now. Undefined for calls of tools that are not ours.
 */
async function standingOf(
  open: OpenApproval,
  { run, port, known }: Resuming,
): Promise<Standing | undefined> {
  const named = await port.findTool(open.toolName).catch((error: unknown) => {
    if (isToolError(error) && error.retryable) return known(open.toolName)
    throw error
  })
  const tool = named?.wireName === open.toolName ? named : undefined
  const outcome = await run.answer({ ...open, tool }, open.said)
  const isDenied = open.deniedAt !== undefined
  if (outcome === undefined && (tool === undefined || isDenied)) return undefined
  if (isUnanswered(outcome) && !outcome.error.retryable) throw toModelError(outcome.error)
  const meant = tool && (await run.meant({ tool, input: open.input }))
  return { open, outcome, tool: meant?.wireName ?? open.toolName }
}

/** Not decided, or not known because something is out of order for the moment. */
function isUndecided(outcome: Outcome | undefined): boolean {
  if (outcome === undefined) return false
  if (outcome.kind === 'pending') return outcome.approvalId !== undefined
  return isUnanswered(outcome)
}

/** There is no call and never will be: the history's account of it is wrong. */
function isFault(outcome: Outcome | undefined): boolean {
  return outcome?.kind === 'failed' && outcome.callId === undefined && !isUnanswered(outcome)
}

function toWaiting({ open, outcome, tool }: Standing): WaitingCall {
  const { toolCallId } = open
  if (outcome?.kind !== 'pending') return { toolCallId, tool }
  const { callId, approvalId } = outcome
  return { toolCallId, tool, callId, ...(approvalId !== undefined && { approvalId }) }
}

type Answer = Extract<ToolModelMessage['content'][number], { type: 'tool-approval-response' }>

function toAnswer({ open, outcome }: Standing): Answer {
  const answer = { type: 'tool-approval-response' as const, approvalId: open.requestId }
  // No decision is needed any more: the approval stays, and running it is decided again.
  if (outcome === undefined) return { ...answer, approved: true, ...open.said }
  if (outcome.kind !== 'denied') return { ...answer, approved: true }
  return { ...answer, approved: false, reason: describeError(outcome.error) }
}

/** Removes the history's entries about these calls. */
function withoutAnswers(
  messages: readonly ModelMessage[],
  standings: readonly Standing[],
): ModelMessage[] {
  const requests = new Set(standings.map(({ open }) => open.requestId))
  return messages.flatMap((message, index): ModelMessage[] => {
    if (message.role !== 'tool') return [message]
    const denied = standings.filter(({ open }) => open.deniedAt === index)
    const isTold = (id: string) => denied.some(({ open }) => open.toolCallId === id)
    const content = message.content.filter((part) =>
      part.type === 'tool-result' ? !isTold(part.toolCallId) : !requests.has(part.approvalId),
    )
    return content.length === 0 ? [] : [{ ...message, content }]
  })
}

/** Into the last message, the only place where the SDK looks for them. */
function withAnswers(
  messages: readonly ModelMessage[],
  answers: readonly Answer[],
): ModelMessage[] {
  const last = messages.at(-1)
  if (last?.role !== 'tool') return [...messages, { role: 'tool', content: [...answers] }]
  return [...messages.slice(0, -1), { ...last, content: [...last.content, ...answers] }]
}

/** A result right after the message with its call: providers refuse a call without one. */
function insertResult(
  messages: ModelMessage[],
  calling: ModelMessage | undefined,
  part: ToolResultPart,
): ModelMessage[] {
  const at = messages.findIndex((message) => message === calling)
  const next = messages[at + 1]
  if (next?.role !== 'tool') return messages.toSpliced(at + 1, 0, { role: 'tool', content: [part] })
  return messages.with(at + 1, { ...next, content: [...next.content, part] })
}

function toResult(outcome: Outcome | undefined, media: OutputMedia): ModelOutput {
  if (outcome === undefined) return { type: 'execution-denied', reason: 'It was not run' }
  if (outcome.kind === 'failed') return { type: 'error-text', value: describeError(outcome.error) }
  return toModelOutput({ output: toToolOutput(outcome) }, media)
}
