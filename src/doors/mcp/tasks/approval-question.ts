import type { Approval, DecisionRequest } from '../../../core/approvals/approval.ts'
import type { ClientRequest } from '../../../core/kernel/context/caller-client.ts'
import { isRecord } from '../../../core/kernel/json/json-type.ts'

/**
 * The id under which a decision is asked for. An edited input is another question, so an answer to
 * the earlier one does not apply.
 */
export function toApprovalKey({ revision }: Pick<Approval, 'revision'>): string {
  return revision === 0 ? 'approval' : `approval_${revision}`
}

const maxInputChars = 2_000

/** The question to a person who may decide. */
export function toApprovalQuestion({ id, tool, input, reasons }: Approval): ClientRequest {
  const shown = show(JSON.stringify(input), id)
  const because = reasons.length === 0 ? '' : ` (${reasons.join('; ')})`
  return {
    method: 'elicitation/create',
    params: {
      mode: 'form',
      message: `May ${tool} be called with ${shown}?${because}`,
      requestedSchema: {
        type: 'object',
        properties: {
          confirm: { type: 'boolean', title: 'Run it', description: 'No leaves it undone' },
          reason: { type: 'string', title: 'Reason', description: 'Kept with the decision' },
        },
        required: ['confirm'],
      },
    },
  }
}

/** The author of the input chose its beginning, so nobody should take that for all of it. */
function show(text: string, id: string): string {
  const hidden = text.length - maxInputChars
  if (hidden <= 0) return text
  const begin = text.slice(0, maxInputChars).toWellFormed()
  return `${begin}… [${hidden} more characters are not shown here; toolcrib approvals show ${id} has them all]`
}

/** The decision; undefined if there is none. */
export function toDecision(answer: unknown): DecisionRequest | undefined {
  if (!isRecord(answer)) return undefined
  if (answer['action'] === 'decline') return { decision: 'reject' }
  const content = answer['content']
  if (answer['action'] !== 'accept' || !isRecord(content)) return undefined
  const { confirm, reason } = content
  if (typeof confirm !== 'boolean') return undefined
  return {
    decision: confirm ? 'approve' : 'reject',
    ...(typeof reason === 'string' && reason !== '' && { reason }),
  }
}

/** Somebody saw the question and did not answer it. */
export function isDismissed(answer: unknown): boolean {
  return isRecord(answer) && answer['action'] === 'cancel'
}
