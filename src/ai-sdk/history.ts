import type { ModelMessage } from 'ai'

/** A tool call of a history that a person was asked about and that has no result yet. */
export interface OpenApproval {
  toolCallId: string
  toolName: string
  input: unknown
  /** The SDK's id of the question. */
  requestId: string
  said?: { approved: boolean; reason?: string }
  /** Where the message with the call stands. */
  index: number
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

/** Calls of a history that wait for an answer, or whose answer was not acted on yet. */
export function findOpenApprovals(messages: readonly ModelMessage[]): OpenApproval[] {
  const { calls, requests, answers, results } = readParts(messages)
  return requests.flatMap(({ approvalId, toolCallId, index }) => {
    const call = calls.get(toolCallId)
    if (call === undefined || results.has(toolCallId)) return []
    const said = answers.get(approvalId)
    return [{ ...call, toolCallId, requestId: approvalId, index, ...(said && { said }) }]
  })
}

function readParts(messages: readonly ModelMessage[]) {
  const calls = new Map<string, { toolName: string; input: unknown }>()
  const requests: { approvalId: string; toolCallId: string; index: number }[] = []
  const answers = new Map<string, { approved: boolean; reason?: string }>()
  const results = new Set<string>()
  messages.forEach(({ content }, index) => {
    if (typeof content === 'string') return
    for (const part of content) {
      if (part.type === 'tool-call')
        calls.set(part.toolCallId, { toolName: part.toolName, input: part.input })
      if (part.type === 'tool-result') results.add(part.toolCallId)
      if (part.type === 'tool-approval-request' && part.isAutomatic !== true) {
        requests.push({ approvalId: part.approvalId, toolCallId: part.toolCallId, index })
      }
      // The first answer counts, as it does for the SDK.
      if (part.type === 'tool-approval-response' && !answers.has(part.approvalId)) {
        const { approved, reason } = part
        answers.set(part.approvalId, { approved, ...(reason !== undefined && { reason }) })
      }
    }
  })
  return { calls, requests, answers, results }
}
