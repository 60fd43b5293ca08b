import type {
  TerminalField,
  TerminalRecord,
  TerminalTone,
} from '../../core/operations/command-spec.ts'
import type { Api, ApiPreview, ApiTool } from './schemas.ts'

const stateTones: Readonly<Record<string, TerminalTone>> = {
  ready: 'good',
  unread: 'warn',
  quarantined: 'warn',
  closed: 'bad',
  disabled: 'quiet',
  'left out': 'quiet',
}

const effectTones: Readonly<Record<string, TerminalTone>> = { write: 'warn', destructive: 'bad' }

export const apiColumns: readonly TerminalField<Api>[] = [
  { title: 'api', text: ({ name }) => name, shrinkTo: 12, tone: () => 'id' },
  { title: 'state', text: ({ state }) => state, tone: ({ state }) => stateTones[state] },
  { title: 'tools', text: toCounts },
  { title: 'server', text: ({ server }) => server, shrinkTo: 16 },
  {
    title: 'set by',
    text: ({ isDeclared, updatedBy }) => (isDeclared ? 'configuration' : updatedBy.id),
    shrinkTo: 10,
  },
]

/** One API with everything known about it. */
export const apiFacts: TerminalRecord<Api> = {
  title: ({ title, document, name }) => title ?? document?.title ?? name,
  fields: [
    { title: 'name', text: ({ name }) => name },
    { title: 'state', text: ({ state }) => state },
    { title: 'why', text: ({ reason }) => reason },
    { title: 'fix', text: ({ fix }) => fix },
    { title: 'server', text: ({ server }) => server },
    { title: 'document', text: ({ url, document }) => url ?? (document && 'uploaded') },
    {
      title: 'version',
      text: ({ document }) => document && `${document.version} (${document.format})`,
    },
    { title: 'read', text: ({ document }, words) => document && words.moment(document.readAt) },
    { title: 'tools', text: toCounts },
    {
      title: 'signed by',
      text: ({ document }) => document?.schemes.map(({ name }) => name).join(', '),
    },
    { title: 'missing secrets', text: ({ missingSecrets }) => missingSecrets.join(', ') },
    { title: 'declared', text: ({ isDeclared }) => (isDeclared ? 'in the configuration' : '') },
  ],
}

export const apiToolColumns: readonly TerminalField<ApiTool>[] = [
  { title: 'operation', text: ({ name }) => name, shrinkTo: 16, tone: () => 'id' },
  { title: 'state', text: ({ state }) => state, tone: ({ state }) => stateTones[state] },
  { title: 'effect', text: ({ effect }) => effect, tone: ({ effect }) => effectTones[effect] },
  { title: 'request', text: ({ method, path }) => `${method} ${path}`, shrinkTo: 16 },
  { title: 'why', text: ({ reason, findings }) => reason ?? findings[0]?.message, shrinkTo: 10 },
]

/** The operations of a document that was not added. */
export const previewFacts: TerminalRecord<ApiPreview> = {
  title: ({ title, version }) => `${title} ${version}`.trim(),
  fields: [
    { title: 'format', text: ({ format }) => format },
    { title: 'servers', text: ({ servers }) => servers.join(', ') },
    { title: 'signed by', text: ({ schemes }) => schemes.map(({ name }) => name).join(', ') },
    { title: 'operations', text: ({ operations }) => String(operations.length) },
    {
      title: 'findings',
      text: ({ findings }) => findings.map(({ message }) => message).join('; '),
    },
    { title: 'hash', text: ({ hash }) => hash },
  ],
  table: {
    columns: [
      { title: 'operation', shrinkTo: 16 },
      { title: 'effect' },
      { title: 'request', shrinkTo: 16 },
      { title: 'finding', shrinkTo: 10 },
    ],
    rows: ({ operations }) =>
      operations.map(({ name, effect, method, path, fault, findings }) => [
        name,
        effect,
        `${method} ${path}`,
        fault ?? findings[0]?.message ?? '',
      ]),
    isApart: true,
    empty: 'It has no operations.',
  },
}

function toCounts({ toolCounts: { ready, quarantined, leftOut } }: Api): string {
  const aside = quarantined === 0 ? [] : [`${quarantined} set aside`]
  const out = leftOut === 0 ? [] : [`${leftOut} left out`]
  return [String(ready), ...aside, ...out].join(', ')
}
