import type { TerminalField } from '../../core/operations/command-spec.ts'
import type { Question } from './model.ts'

export const questionColumns: readonly TerminalField<Question>[] = [
  { title: 'id', text: ({ id }) => id, tone: () => 'id' },
  { title: 'question', text: ({ title }) => title, shrinkTo: 16 },
  { title: 'for', text: ({ to }) => to.join(', '), shrinkTo: 10 },
  { title: 'asked by', text: toAsker, shrinkTo: 8 },
  {
    title: 'left',
    titleFor: ({ status }) => (status === undefined ? 'status' : 'left'),
    text: ({ status, expiresAt }, { left }) => (status === 'pending' ? left(expiresAt) : status),
  },
]

/** The agent or person whose call asks. */
export function toAsker({ askedBy: { principal, agent } }: Question): string {
  return agent ?? `${principal.kind}:${principal.id}`
}
