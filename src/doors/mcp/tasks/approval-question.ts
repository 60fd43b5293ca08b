import type { Approval, DecisionRequest } from '../../../core/approvals/approval.ts'
import type { ClientRequest } from '../../../core/kernel/context/caller-client.ts'
import { isRecord } from '../../../core/kernel/json/json-type.ts'

/**
 * Under which a decision is asked for. An input that was edited is another question: what was said to
 * the one before is no answer to it.
 */
export function toApprovalKey({ revision }: Pick<Approval, 'revision'>): string {
  return revision === 0 ? 'approval' : `approval_${revision}`
}

const maxInputChars = 2_000

/** The question to whoever may decide. */
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

/** Whoever wrote the input chose what stands at its beginning, so nobody may take that for all of it. */
function show(text: string, id: string): string {
  const hidden = text.length - maxInputChars
  if (hidden <= 0) return text
  const begin = text.slice(0, maxInputChars).toWellFormed()
  return `${begin}… [${hidden} more characters are not shown here; toolcrib approvals show ${id} has them all]`
}

/** What was answered; undefined where nothing was decided. */
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
