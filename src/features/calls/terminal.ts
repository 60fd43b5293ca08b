import type { CallRecord } from '../../core/kernel/call.ts'
import type { TerminalField } from '../../core/operations/command-spec.ts'
import type { CallStep } from './schemas.ts'

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

export const stepColumns: readonly TerminalField<CallStep>[] = [
  { title: 'step', text: ({ id }) => id, tone: () => 'id' },
  { title: 'tool', text: ({ tool }) => tool ?? '—', shrinkTo: 12 },
  { title: 'state', text: toState },
  {
    title: 'calls',
    text: ({ done, total }) => (total === undefined ? String(done) : `${done} of ${total}`),
    align: 'right',
  },
  { title: 'call', text: ({ callId }) => callId ?? '—' },
  {
    title: 'again',
    titleFor: ({ from }) => (from === undefined ? '' : 'runs again'),
    text: ({ runsAgain }) => (runsAgain === undefined ? '' : runsAgain ? 'yes' : 'no'),
  },
]

function toState({ state, isKept }: CallStep): string {
  return isKept ? `${state}, kept` : state
}

/** The status with why a call failed, or what it waits for. */
function toStatus({ status, error, waitingFor }: CallRecord): string {
  if (waitingFor !== undefined) return `${status} for ${waitingFor}`
  return error === undefined || error.code === status ? status : `${status} ${error.code}`
}
