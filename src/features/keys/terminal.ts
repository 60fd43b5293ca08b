import type { TerminalField } from '../../core/operations/command-spec.ts'
import type { ApiKey } from '../../core/vault-ports.ts'

export const keyColumns: readonly TerminalField<ApiKey>[] = [
  { title: 'id', text: ({ id }) => id, tone: () => 'id' },
  { title: 'name', text: ({ name }) => name, shrinkTo: 10 },
  { title: 'scopes', text: ({ scopes }) => scopes.join(' '), shrinkTo: 12 },
  { title: 'agent', text: ({ agent }) => agent, shrinkTo: 6 },
  { title: 'last used', text: ({ lastUsedAt }) => lastUsedAt?.slice(0, 10) ?? 'never' },
  { title: 'state', text: stateOf },
]

function stateOf({ revokedAt, expiresAt }: ApiKey): string {
  if (revokedAt !== undefined) return `revoked ${revokedAt.slice(0, 10)}`
  if (expiresAt === undefined) return 'live'
  return `${Date.parse(expiresAt) <= Date.now() ? 'expired' : 'until'} ${expiresAt.slice(0, 10)}`
}
