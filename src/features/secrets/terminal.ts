import type { TerminalField, TerminalRecord } from '../../core/operations/command-spec.ts'
import type { KeyringStatus } from '../../core/secrets/keyring.ts'
import type { SecretOverview, SecretTest } from './schemas.ts'

type ListedSecret = SecretOverview['items'][number]

export const secretColumns: readonly TerminalField<ListedSecret>[] = [
  { title: 'name', text: ({ name }) => name, shrinkTo: 12, tone: () => 'id' },
  { title: 'agent', text: ({ agent }) => agent, shrinkTo: 6 },
  { title: 'version', text: ({ version }) => String(version), align: 'right' },
  { title: 'written', text: ({ updatedAt }) => updatedAt.slice(0, 10) },
  { title: 'expires', text: toExpiry },
  { title: 'used by', text: ({ usedBy }) => usedBy.join(', '), shrinkTo: 12 },
]

function toExpiry({ expiresAt }: ListedSecret): string | undefined {
  const isOver = expiresAt !== undefined && Date.parse(expiresAt) <= Date.now()
  return expiresAt && `${isOver ? 'expired ' : ''}${expiresAt.slice(0, 10)}`
}

/** Secrets that tools require and nobody has set. Optional ones are only in the JSON. */
export function missingOf({ requirements }: SecretOverview): string[] {
  const missing = requirements.filter(({ isSet, optional }) => !isSet && !optional)
  return missing.map(({ name, requiredBy, agents }) => {
    const some =
      agents.length > 0 ? `, set only for ${agents.map((one) => one.agent).join(', ')}` : ''
    return `${name} is missing${some}: ${requiredBy.join(', ')}`
  })
}

/** The result of testing a secret. */
export function toTestText({ name, status, message, checkedBy }: SecretTest): string {
  const by = checkedBy.length === 0 ? '' : ` (${checkedBy.join(', ')})`
  if (status === 'good') return `${name} is good${by}`
  if (status === 'bad') return `${name}: ${message ?? 'it does not work'}${by}`
  return message ?? `There is no check for ${name}`
}

type MasterKey = KeyringStatus['keys'][number]

/** The master keys, and where they are kept. */
export const keyringFacts: TerminalRecord<KeyringStatus> = {
  fields: [],
  table: {
    columns: [
      { title: 'key' },
      { title: 'state' },
      { title: 'secrets', align: 'right' },
      { title: 'inputs', align: 'right' },
      { title: 'missing on', shrinkTo: 10 },
    ],
    rows: ({ keys, nextId }) =>
      keys.map((key) => [
        key.id,
        toKeyState(key, nextId),
        String(key.secrets),
        String(key.inputs),
        key.missingOn.join(', '),
      ]),
    empty: 'No keys.',
    more: ({ place }) => `kept in ${place}`,
  },
}

function toKeyState({ id, isActive, isHeld }: MasterKey, nextId: string | undefined): string {
  if (isActive) return 'in use'
  if (!isHeld) return 'missing here'
  return id === nextId ? 'waits for rotate' : 'opens older secrets'
}
