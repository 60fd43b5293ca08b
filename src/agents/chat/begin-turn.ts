import { asAgent } from '../../core/kernel/caller.ts'
import type { Caller } from '../../core/kernel/call.ts'
import type { Conversation, Turn, TurnBounds } from '../../core/conversations/conversation.ts'
import type { NewTurn, StoredFile, TurnBegin } from '../../core/conversations/conversation-store.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { createId } from '../../core/kernel/ids.ts'
import type { JsonValue } from '../../core/kernel/json.ts'
import { waitingForPeople } from '../turn/stream/follow-turn.ts'
import { toFileUrl, withWorkspacePath } from '../turn/context/file-url.ts'
import type { TurnPorts } from '../turn/turn-ports.ts'
import { toJson } from '../turn/ui-parts.ts'
import type { SaidMessage } from './parse-chat.ts'

export interface NewTurnRequest {
  conversation: Conversation
  /** The person who asks, as the caller of the turn's tools. */
  caller: Caller
  message?: SaidMessage
  replaceFrom?: number
  bounds?: Partial<TurnBounds>
  parentCallId?: string
  position?: number
}

/** A caller as its turn makes calls: in the agent's name, for as long as it takes. */
export function toTurnCaller(
  caller: Caller,
  as: Required<Pick<Caller, 'runtime'>> & { agent: string; sessionId: string },
): Caller {
  const acting = asAgent(caller, as)
  // A sign-in ends, but work that was asked for continues, with the rights that the person has by
  // then.
  const { signInId: _, ...kept } = acting
  return { ...kept, sessionId: as.sessionId }
}

/** Stores a turn and its message. Returns the running turn instead if the message is known. */
export async function beginTurn(
  request: NewTurnRequest,
  ports: TurnPorts,
): Promise<{ turnId: string; isNew: boolean }> {
  const { conversation, caller, message } = request
  const turn = await toNewTurn(request, ports)
  const begin: TurnBegin = {
    turn,
    told: { principal: caller.principal, event: toStarted(turn.id, request, ports.now()) },
  }
  if (request.replaceFrom !== undefined) begin.replaceFrom = request.replaceFrom
  if (message !== undefined) {
    Object.assign(begin, await keepFiles(message, conversation, ports))
    begin.title = titleOf(message)
  }
  const result = await ports.store.beginTurn(begin)
  if (result.kind === 'begun') return { turnId: turn.id, isNew: true }
  if (result.kind === 'busy') throw await busy(result.turn, ports)
  if (result.kind === 'gone') throw conversationNotFound(conversation.id)
  return repeated(conversation, message?.id ?? '', ports)
}

async function toNewTurn(request: NewTurnRequest, { models, limits }: TurnPorts): Promise<NewTurn> {
  const { caller, parentCallId, position = 0 } = request
  const { tenant, id: conversationId, agent } = request.conversation
  const settings = await models.findAgent(tenant, agent)
  const usual = caller.runtime === 'subagent' ? limits.subagentSteps : limits.maxSteps
  return {
    id: createId('turn'),
    tenant,
    conversationId,
    agent,
    caller,
    bounds: toBounds(request.bounds, settings?.maxSteps ?? usual),
    messageId: createId('msg'),
    position,
    ...(parentCallId !== undefined && { parentCallId }),
  }
}

/** A request may ask for less than the agent has, never for more. */
function toBounds(asked: Partial<TurnBounds> = {}, most: number): TurnBounds {
  return { ...asked, maxSteps: Math.min(asked.maxSteps ?? most, most) }
}

/** The same request again, after its answer was lost: what it began is still there. */
async function repeated(
  { tenant, id }: Conversation,
  messageId: string,
  { store }: TurnPorts,
): Promise<{ turnId: string; isNew: boolean }> {
  const known = await store.findMessage(tenant, id, messageId)
  if (known?.turnId !== undefined) return { turnId: known.turnId, isNew: false }
  throw new ToolError(
    'conflict',
    `The message ${messageId.slice(0, 100)} is in the conversation already`,
  )
}

function toStarted(
  turnId: string,
  { caller, parentCallId, conversation }: NewTurnRequest,
  at: number,
) {
  const data = {
    turnId,
    runtime: caller.runtime,
    kind: conversation.kind,
    ...(parentCallId !== undefined && { parentCallId }),
  }
  return { type: 'turn.started' as const, at, data }
}

/** Of one conversation: all of them are read when its agent is asked. */
const maxFileBytes = 52_428_800

async function keepFiles(
  { id, parts }: SaidMessage,
  conversation: Conversation,
  ports: TurnPorts,
): Promise<Required<Pick<TurnBegin, 'message' | 'files'>>> {
  const files: StoredFile[] = []
  const kept = parts.map((part) => {
    if (part.type === 'text') return part
    const { mediaType, filename, bytes, workspacePath } = part
    const fileId = createId('file')
    files.push({ id: fileId, mediaType, bytes, ...(filename !== undefined && { name: filename }) })
    return {
      type: 'file' as const,
      mediaType,
      url: toFileUrl(fileId),
      ...(filename !== undefined && { filename }),
      ...(workspacePath !== undefined && withWorkspacePath(workspacePath)),
    }
  })
  if (files.length > 0) await assertRoom(files, conversation, ports)
  return { files, message: { id, role: 'user', parts: toJson(kept) as JsonValue[] } }
}

async function assertRoom(
  files: readonly StoredFile[],
  { tenant, id }: Conversation,
  { store }: TurnPorts,
): Promise<void> {
  const sizes = [
    ...(await store.listFiles(tenant, id)).map(({ size }) => size),
    ...files.map(({ bytes }) => bytes.length),
  ]
  if (sizes.reduce((sum, size) => sum + size, 0) <= maxFileBytes) return
  throw new ToolError(
    'quota_exceeded',
    `A conversation has files of ${maxFileBytes} bytes at most`,
    {
      fix: 'Begin another conversation.',
    },
  )
}

const maxTitle = 80

function titleOf({ parts }: SaidMessage): string {
  const text = parts.find((part) => part.type === 'text')
  const line = (text?.type === 'text' ? text.text : 'A file').trim().split('\n')[0] ?? ''
  return line.length <= maxTitle ? line : `${line.slice(0, maxTitle - 1)}…`
}

/** Reports the running turn and how to end it. */
export async function busy(turn: Turn, ports: TurnPorts): Promise<ToolError> {
  const ids = turn.status === 'waiting' ? await waitingForPeople(turn, ports) : []
  const details = { turnId: turn.id, approvals: ids }
  const stop = `toolcrib runs cancel ${turn.id} (POST /api/v1/runs/${turn.id}/cancel)`
  if (ids.length > 0) {
    const message = `The agent waits for an answer to ${ids.join(', ')}`
    const fix = `Approve or reject it (toolcrib approve ${ids[0]}), or stop the turn: ${stop}`
    return new ToolError('conversation_busy', message, { retryable: false, fix, details })
  }
  return new ToolError('conversation_busy', 'The agent has not finished its last turn', {
    retryable: true,
    fix: `Wait for it, or stop it: ${stop}`,
    details,
  })
}

export function conversationNotFound(id: string): ToolError {
  return new ToolError('not_found', `There is no conversation ${JSON.stringify(id.slice(0, 100))}`)
}
