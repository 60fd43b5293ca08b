import type { ModelMessage, ToolResultPart } from 'ai'

/** A tool call of a history that a person was asked about and that has no result yet. */
export interface OpenApproval {
  toolCallId: string
  toolName: string
  input: unknown
  /** The SDK's id of the question. */
  requestId: string
  said?: { approved: boolean; reason?: string }
  /** The index of the message with the call. */
  index: number
  /**
   * The index of the message that gives a person's rejection as the result; the crib may not know
   * of it.
   */
  deniedAt?: number
}

/** Does the history say that a person approved this call? Whether it is true, only the crib knows. */
export function isApprovedIn(messages: readonly ModelMessage[], toolCallId: string): boolean {
  return findOpenApprovals(messages).some(
    (open) => open.toolCallId === toolCallId && open.said?.approved === true,
  )
}

/** Only what was answered last is run: the SDK looks no further back. */
export function endsWithAnswer(messages: readonly ModelMessage[]): boolean {
  const last = messages.at(-1)
  if (last?.role !== 'tool') return false
  return last.content.some(({ type }) => type === 'tool-approval-response')
}

/**
 * Calls of a history that wait for an answer, or whose answer has not been applied yet. A rejection
 * given in a browser appears as a result already, of a call that was not continued.
 */
export function findOpenApprovals(messages: readonly ModelMessage[]): OpenApproval[] {
  const { requests, answers } = readParts(messages)
  const last = messages.findLastIndex(({ role }) => role === 'assistant')
  return requests.flatMap(({ approvalId, call: { isOver, deniedAt, ...call } }) => {
    const said = answers.get(approvalId)
    const isNo = said?.approved === false && deniedAt !== undefined && call.index === last
    if (isOver && !isNo) return []
    const denied = isNo ? { deniedAt } : {}
    return [{ ...call, requestId: approvalId, ...(said && { said }), ...denied }]
  })
}

type ToldCall = Omit<OpenApproval, 'requestId' | 'said'> & { isOver: boolean }

/** Some providers restart their ids in every answer: an id means the last call with it so far. */
function readParts(messages: readonly ModelMessage[]) {
  const calls = new Map<string, ToldCall>()
  const requests: { approvalId: string; call: ToldCall }[] = []
  const answers = new Map<string, { approved: boolean; reason?: string }>()
  for (const { part, index } of messages.flatMap(toParts)) {
    if (part.type === 'tool-call') {
      const { toolCallId, toolName, input } = part
      calls.set(toolCallId, { toolCallId, toolName, input, index, isOver: false })
    }
    const call = 'toolCallId' in part ? calls.get(part.toolCallId) : undefined
    if (part.type === 'tool-result' && call) endCall(call, { part, index })
    if (part.type === 'tool-approval-request' && part.isAutomatic !== true && call) {
      requests.push({ approvalId: part.approvalId, call })
    }
    // The first answer counts, as it does for the SDK.
    if (part.type === 'tool-approval-response' && !answers.has(part.approvalId)) {
      const { approved, reason } = part
      answers.set(part.approvalId, { approved, ...(reason !== undefined && { reason }) })
    }
  }
  return { requests, answers }
}

function endCall(
  call: ToldCall,
  { part, index }: { part: Pick<ToolResultPart, 'output'>; index: number },
): void {
  call.isOver = true
  if (part.output.type === 'execution-denied') call.deniedAt = index
}

function toParts({ content }: ModelMessage, index: number) {
  return typeof content === 'string' ? [] : content.map((part) => ({ part, index }))
}
