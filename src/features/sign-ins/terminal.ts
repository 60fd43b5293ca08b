import type { TerminalField } from '../../core/operations/command-spec.ts'
import type { Invitation } from './schemas.ts'

export const invitationColumns: readonly TerminalField<Invitation>[] = [
  { title: 'id', text: ({ id }) => id, tone: () => 'id' },
  { title: 'email', text: ({ email }) => email, shrinkTo: 12 },
  {
    title: 'role',
    text: ({ role, permissions }) => [role, ...permissions].join(' '),
    shrinkTo: 8,
  },
  { title: 'invited by', text: ({ invitedBy }) => invitedBy, shrinkTo: 10 },
  {
    title: 'state',
    text: ({ state, expiresAt }) =>
      `${state === 'expired' ? 'expired' : 'until'} ${expiresAt.slice(0, 10)}`,
  },
]

/** The remark about a link that was created while no server runs. */
export const noServerNote =
  'No server is running. Start one, and put its address before /…?token= in the link.'
