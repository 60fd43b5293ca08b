import type {
  TerminalField,
  TerminalRecord,
  TerminalTone,
} from '../../core/operations/command-spec.ts'
import type { McpConnection, McpServer } from './schemas.ts'

const stateTones: Readonly<Record<string, TerminalTone>> = {
  connected: 'good',
  ready: 'good',
  idle: 'good',
  connecting: 'warn',
  unauthorized: 'warn',
  down: 'bad',
  closed: 'bad',
  disabled: 'quiet',
}

export const serverColumns: readonly TerminalField<McpServer>[] = [
  { title: 'server', text: ({ name }) => name, shrinkTo: 12, tone: () => 'id' },
  { title: 'state', text: ({ state }) => state, tone: ({ state }) => stateTones[state] ?? 'quiet' },
  { title: 'tools', text: toCounts },
  { title: 'where', text: toPlace, shrinkTo: 16 },
  {
    title: 'set by',
    text: ({ isDeclared, updatedBy }) => (isDeclared ? 'configuration' : updatedBy?.id),
    shrinkTo: 10,
  },
]

/** One server with everything known about it. */
export const serverFacts: TerminalRecord<McpServer> = {
  title: ({ title, name }) => title ?? name,
  fields: [
    { title: 'name', text: ({ name }) => name },
    { title: 'state', text: ({ state }) => state },
    { title: 'why', text: ({ reason }) => reason },
    { title: 'fix', text: ({ fix }) => fix },
    { title: 'where', text: toPlace },
    { title: 'tools', text: toCounts },
    { title: 'protocol', text: ({ protocol: used }) => used && `${used.version} (${used.era})` },
    {
      title: 'reports as',
      text: ({ about }) =>
        about && [about.title ?? about.name, about.version].filter(Boolean).join(' '),
    },
    {
      title: 'sign-in',
      text: ({ oauth }) => oauth && (oauth.perUser ? 'each for themselves' : 'one for all'),
    },
    { title: 'declared', text: ({ isDeclared }) => (isDeclared ? 'in the configuration' : '') },
    { title: 'listed', text: ({ listedAt }) => listedAt },
  ],
}

export const connectionColumns: readonly TerminalField<McpConnection>[] = [
  { title: 'who', text: ({ subject }) => subject ?? 'everybody' },
  { title: 'at', text: ({ issuer }) => issuer, shrinkTo: 16 },
  { title: 'since', text: ({ connectedAt }) => connectedAt },
]

function toCounts({ toolCounts: { ready, quarantined, beyond } }: McpServer): string {
  const aside = quarantined === 0 ? [] : [`${quarantined} set aside`]
  const over = beyond === undefined ? [] : [`${beyond} or more over the limit`]
  return [ready, ...aside, ...over].join(', ')
}

function toPlace({ url, command, args = [] }: McpServer): string {
  return url ?? [command, ...args].filter((part) => part !== undefined).join(' ')
}
