import type { CallRecord } from '../../core/kernel/call.ts'
import type { TerminalField } from '../../core/operations/command-spec.ts'

export const callColumns: readonly TerminalField<CallRecord>[] = [
  { title: 'id', text: ({ callId }) => callId, tone: () => 'id' },
  { title: 'tool', text: ({ tool }) => tool, shrinkTo: 12 },
  { title: 'status', text: toStatus, shrinkTo: 10 },
  {
    title: 'by',
    text: ({ agent, principal }) => agent ?? `${principal.kind}:${principal.id}`,
    shrinkTo: 8,
  },
  { title: 'when', text: ({ requestedAt }, { moment }) => moment(requestedAt) },
]

/** The status with why a call failed, or what it waits for. */
function toStatus({ status, error, waitingFor }: CallRecord): string {
  if (waitingFor !== undefined) return `${status} for ${waitingFor}`
  return error === undefined || error.code === status ? status : `${status} ${error.code}`
}
