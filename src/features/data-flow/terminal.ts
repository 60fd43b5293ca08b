import type { TerminalField } from '../../core/operations/command-spec.ts'
import type { SessionFlag } from '../../core/flow/session-flags.ts'
import type { Label } from './schemas.ts'

/** A list of labels. */
export const labelColumns: readonly TerminalField<Label>[] = [
  { title: 'tools', text: ({ pattern }) => pattern, shrinkTo: 12, tone: () => 'id' },
  { title: 'reads', text: ({ reads }) => reads && (reads.join(', ') || 'none'), shrinkTo: 9 },
  { title: 'effects', text: ({ effects }) => effects },
  { title: 'set by', text: ({ setBy }) => setBy, shrinkTo: 10 },
]

/** The flags of a session. */
export const flagColumns: readonly TerminalField<SessionFlag>[] = [
  { title: 'has read', text: ({ kind }) => `${kind} data` },
  { title: 'since', text: ({ raisedAt }, { moment }) => moment(raisedAt) },
  { title: 'tool', text: ({ tool }) => tool, shrinkTo: 10 },
  { title: 'call', text: ({ callId }) => callId, tone: () => 'id' },
]
