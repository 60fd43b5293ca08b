import type { TerminalField, TerminalRecord } from '../../core/operations/command-spec.ts'
import type { Agent, AgentSummary, Provenance } from './schemas.ts'

export const agentColumns: readonly TerminalField<AgentSummary>[] = [
  { title: 'agent', text: ({ slug }) => slug, tone: () => 'id' },
  {
    title: 'name',
    text: ({ name, closed }) => (closed === undefined ? name : `! ${closed}`),
    shrinkTo: 8,
  },
  { title: 'model', text: ({ model }) => model, shrinkTo: 8 },
  { title: 'autonomy', text: ({ autonomy }) => autonomy },
  { title: 'set by', text: toSetBy, shrinkTo: 8 },
]

/** One agent with its grants. */
export const agentFacts: TerminalRecord<Agent> = {
  title: ({ name, slug }) => name ?? slug,
  fields: [
    { title: 'agent', text: ({ slug }) => slug },
    { title: 'model', text: ({ model }) => model },
    { title: 'autonomy', text: ({ autonomy }) => autonomy },
    { title: 'profile', text: ({ tools }) => tools.profile },
    {
      title: 'tool mode',
      text: ({ toolMode }) => (toolMode === 'auto' ? undefined : toolMode),
    },
    { title: 'short names', text: ({ shortNames }) => (shortNames ? 'yes' : undefined) },
    { title: 'asks before', text: ({ hooks }) => hooks.confirm.join(' ') },
    { title: 'settings', text: toSettings },
    { title: 'permissions', text: ({ permissions }) => permissions?.join(' ') },
    { title: 'skills', text: toSkills },
    { title: 'set by', text: toSetBy },
    { title: 'version', text: ({ version }) => String(version) },
  ],
  table: {
    isApart: true,
    columns: [
      { title: 'grant', shrinkTo: 12 },
      { title: 'kind' },
      { title: 'held by', shrinkTo: 8 },
    ],
    rows: ({ grants }) =>
      grants.map(({ pattern, kind, sources }) => [
        pattern,
        kind,
        sources.map((source) => (source === 'global' ? 'configuration' : source)).join(', '),
      ]),
    empty: 'No grants: it sees the tools of its profile, otherwise none.',
  },
}

/** Why it gets no tools, and what looks wrong about it. */
export function warningsOf({ closed }: Agent): readonly string[] {
  return closed === undefined ? [] : [closed]
}

/** The author and the day of a setting. */
export function toSetBy({ isDeclared, updatedBy, updatedAt }: Provenance): string {
  if (isDeclared) return 'configuration'
  return `${updatedBy.kind}:${updatedBy.id}, ${updatedAt.slice(0, 10)}`
}

function toSettings({ settings }: Agent): string {
  const texts = Object.entries(settings).map(([tool, value]) => `${tool} ${JSON.stringify(value)}`)
  return texts.join('; ')
}

function toSkills({ skills }: Agent): string {
  return skills.map(({ name, version }) => `${name}@${version.slice(0, 8)}`).join(' ')
}
