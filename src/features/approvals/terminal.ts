import type { Approval, ApprovalRule } from '../../core/approvals/approval.ts'
import type { TerminalField } from '../../core/operations/command-spec.ts'

export const approvalColumns: readonly TerminalField<Approval>[] = [
  { title: 'id', text: ({ id }) => id, tone: () => 'id' },
  { title: 'tool', text: ({ tool }) => tool, shrinkTo: 12 },
  { title: 'input', text: ({ input }) => JSON.stringify(input), shrinkTo: 16 },
  { title: 'asked by', text: toRequester, shrinkTo: 8 },
  {
    title: 'left',
    titleFor: ({ status }) => (status === undefined ? 'status' : 'left'),
    text: ({ status, expiresAt }, { left }) => (status === 'pending' ? left(expiresAt) : status),
  },
]

/** The agent or person that made the call. */
export function toRequester({ requestedBy: { principal, agent } }: Approval): string {
  return agent ?? `${principal.kind}:${principal.id}`
}

export const ruleColumns: readonly TerminalField<ApprovalRule>[] = [
  { title: 'id', text: ({ id }) => id, tone: () => 'id' },
  { title: 'tool', text: ({ tool }) => tool, shrinkTo: 12 },
  {
    title: 'for',
    text: ({ agent, principal }) => agent ?? `${principal?.kind}:${principal?.id}`,
    shrinkTo: 8,
  },
  { title: 'input', text: toInputText, shrinkTo: 12 },
  { title: 'by', text: ({ createdBy }) => `${createdBy.kind}:${createdBy.id}`, shrinkTo: 8 },
  { title: 'left', text: ({ expiresAt }, { left }) => left(expiresAt) },
]

function toInputText({ input }: ApprovalRule): string {
  if (input.kind === 'any') return 'any'
  return JSON.stringify(input.kind === 'same' ? input.input : input.pattern)
}
