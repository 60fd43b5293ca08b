import { isSettled } from '../../../core/call-state.ts'
import type { StoredMessage } from '../../../core/conversations/conversation.ts'
import type { ConversationApi } from '../../../core/conversations/conversation-api.ts'
import type { Caller, CallRecord } from '../../../core/kernel/call.ts'
import { isToolError, ToolError } from '../../../core/kernel/errors.ts'
import { isRecord } from '../../../core/kernel/json/json-type.ts'
import { requirePermission } from '../../../core/operations/require-permission.ts'
import type { CallLog } from '../../../core/call-log.ts'
import type { PipelinePorts } from '../../../core/pipeline/ports.ts'
import { findVisible } from '../../calls/find-call.ts'
import type { RecordedWork } from './recorded-work.ts'

/** Where records are read. */
export interface RecordPorts {
  calls: Pick<CallLog, 'find' | 'list' | 'listChildren' | 'requestCancel' | 'settle'>
  recorder: PipelinePorts['recorder']
  registry: Pick<PipelinePorts['registry'], 'find'>
  conversations: Pick<ConversationApi, 'findRun' | 'findConversation'>
}

/** More calls than a composition can have steps, even after most were left out. */
const maxCalls = 1000

/** The calls that a call made; itself, if it made none. */
export async function readCall(
  caller: Caller,
  id: string,
  ports: RecordPorts,
): Promise<RecordedWork> {
  const call = await findVisible(ports, { caller, id })
  if (!isSettled(call.status)) throw notSettled(call.callId, call.status)
  const made = await ports.calls.listChildren(call.tenant, call.callId)
  const { tool, input, output, artifact, requestedAt: recordedAt } = call
  const contract = ports.registry.find(tool, call.tenant)?.contract
  const whole = contract && {
    input,
    inputSchema: contract.inputSchema,
    ...(made.length > 0 && output !== undefined && artifact === undefined && { output }),
  }
  const calls = made.length > 0 ? made.slice(0, maxCalls) : [call]
  const named = calls.map((one) => withCurrentName(one, ports))
  return { title: `a call of ${tool}`, recordedAt, calls: named, whole, said: '', answer: '' }
}

/** The calls of one turn of an agent. */
export async function readRun(
  caller: Caller,
  id: string,
  ports: RecordPorts,
): Promise<RecordedWork> {
  requirePermission(caller, 'agents.chat')
  const run = await ports.conversations.findRun(caller, id)
  if (run.settledAt === undefined) throw notSettled(run.id, run.status)
  const messages = await readMessages(caller, run.conversationId, ports)
  const first = messages.findIndex(({ turnId, role }) => turnId === run.id && role === 'assistant')
  const asked = messages.slice(0, Math.max(0, first)).findLast(({ role }) => role === 'user')
  const own = messages.filter(({ turnId, role }) => turnId === run.id && role === 'assistant')
  const from = { title: `a run of ${run.agent}`, recordedAt: run.createdAt }
  return toWork(caller, { ...from, messages: [...(asked ? [asked] : []), ...own] }, ports)
}

/** The calls of all turns of a conversation. */
export async function readConversation(
  caller: Caller,
  id: string,
  ports: RecordPorts,
): Promise<RecordedWork> {
  requirePermission(caller, 'agents.chat')
  const found = await ports.conversations.findConversation(caller, id, { limit: 1 })
  if (found.status !== 'idle' && !isOver(found.status)) throw notSettled(found.id, found.status)
  const messages = await readMessages(caller, found.id, ports)
  const from = { title: `a conversation with ${found.agent}`, recordedAt: found.createdAt }
  return toWork(caller, { ...from, messages }, ports)
}

function isOver(status: string): boolean {
  return ['completed', 'failed', 'cancelled'].includes(status)
}

async function readMessages(
  caller: Caller,
  id: string,
  { conversations }: RecordPorts,
): Promise<StoredMessage[]> {
  const messages: StoredMessage[] = []
  let after: number | undefined = 0
  while (after !== undefined && callIdsIn(messages).length < maxCalls) {
    const query = { limit: 200, ...(after > 0 && { after }) }
    const page: { items: readonly StoredMessage[]; next?: number } =
      await conversations.findConversation(caller, id, query)
    messages.push(...page.items)
    after = page.next
  }
  return messages
}

interface Talk extends Pick<RecordedWork, 'title' | 'recordedAt'> {
  messages: readonly StoredMessage[]
}

async function toWork(
  caller: Caller,
  { messages, ...from }: Talk,
  ports: RecordPorts,
): Promise<RecordedWork> {
  const calls: CallRecord[] = []
  for (const id of callIdsIn(messages).slice(0, maxCalls)) {
    const call = await findKept(caller, id, ports)
    if (call !== undefined) calls.push(withCurrentName(call, ports))
  }
  const textBy = (role: StoredMessage['role']) =>
    messages
      .filter((message) => message.role === role)
      .flatMap(({ parts }) => parts.flatMap(textOf))
      .join('\n')
  return { ...from, calls, said: textBy('user'), answer: textBy('assistant') }
}

/** The record of a call may have been deleted by now. */
async function findKept(
  caller: Caller,
  id: string,
  ports: RecordPorts,
): Promise<CallRecord | undefined> {
  try {
    return await findVisible(ports, { caller, id })
  } catch (error) {
    if (isToolError(error) && error.code === 'not_found') return undefined
    throw error
  }
}

/** A message names the call in what it keeps of its tool. */
function callIdsIn(messages: readonly StoredMessage[]): string[] {
  const ids = messages.flatMap(({ parts }) =>
    parts.flatMap((part) => {
      const facts = isRecord(part) ? part['toolMetadata'] : undefined
      const id = isRecord(facts) ? facts['callId'] : undefined
      return typeof id === 'string' ? [id] : []
    }),
  )
  return [...new Set(ids)]
}

function textOf(part: unknown): string[] {
  if (!isRecord(part) || part['type'] !== 'text') return []
  return typeof part['text'] === 'string' ? [part['text']] : []
}

/** A renamed tool is called by its name of today. */
function withCurrentName(call: CallRecord, { registry }: RecordPorts): CallRecord {
  const name = registry.find(call.tool, call.tenant)?.contract.name
  return name === undefined ? call : { ...call, tool: name }
}

function notSettled(id: string, status: string): ToolError {
  return new ToolError('conflict', `${id} is ${status}; its result is not known yet`, {
    fix: 'Wait for its end, then try again.',
  })
}
