import type { Agent, AgentSummary, Provenance } from '../../../features/agents/schemas.ts'
import { toSafeLine } from '../output/safe-text.ts'
import type { Screen } from '../output/screen.ts'
import { showTable } from '../output/table.ts'

/** Agents as a table. */
export function showAgents(screen: Screen, agents: readonly AgentSummary[]): void {
  showTable(screen, {
    columns: [
      { title: 'agent', style: (cell) => screen.style('cyan', cell) },
      { title: 'name', shrinkTo: 8 },
      { title: 'model', shrinkTo: 8 },
      { title: 'autonomy' },
      { title: 'set by', shrinkTo: 8 },
    ],
    rows: agents.map((agent) => [
      toSafeLine(agent.slug),
      toSafeLine(agent.closed === undefined ? (agent.name ?? '') : `! ${agent.closed}`),
      toSafeLine(agent.model),
      agent.autonomy,
      toSetBy(agent),
    ]),
  })
}

/** Who set something, and when. */
export function toSetBy({ isDeclared, updatedBy, updatedAt }: Provenance): string {
  if (isDeclared) return 'configuration'
  return toSafeLine(`${updatedBy.kind}:${updatedBy.id}, ${updatedAt.slice(0, 10)}`)
}

/** One agent with its grants and what is odd about it. */
export function showAgent(screen: Screen, agent: Agent): void {
  screen.out(screen.style('bold', toSafeLine(agent.name ?? agent.slug)))
  const settings = Object.entries(agent.settings).map(
    ([tool, value]) => `${tool} ${JSON.stringify(value)}`,
  )
  const facts: [string, string | undefined][] = [
    ['agent', agent.slug],
    ['model', agent.model],
    ['autonomy', agent.autonomy],
    ['profile', agent.tools.profile],
    ['tool mode', agent.toolMode === 'auto' ? undefined : agent.toolMode],
    ['asks before', agent.hooks.confirm.join(' ')],
    ['settings', settings.join('; ')],
    ['permissions', agent.permissions?.join(' ')],
    ['skills', agent.skills.map(({ name, version }) => `${name}@${version.slice(0, 8)}`).join(' ')],
    ['set by', toSetBy(agent)],
    ['version', String(agent.version)],
  ]
  for (const [label, value] of facts) {
    if (value) screen.out(`${screen.style('dim', label.padEnd(11))}  ${toSafeLine(value)}`)
  }
  if (agent.grants.length === 0)
    screen.out('No grants: it sees what its profile names, else nothing.')
  else showGrants(screen, agent)
  if (agent.closed !== undefined)
    screen.out(`${screen.style('red', '✗')} ${toSafeLine(agent.closed)}`)
  for (const warning of agent.warnings)
    screen.out(`${screen.style('yellow', '!')} ${toSafeLine(warning)}`)
}

function showGrants(screen: Screen, { grants }: Agent): void {
  screen.out('')
  showTable(screen, {
    columns: [
      { title: 'grant', shrinkTo: 12 },
      {
        title: 'kind',
        style: (cell, row) => screen.style(grants[row]?.kind === 'deny' ? 'red' : 'green', cell),
      },
      { title: 'held by', shrinkTo: 8 },
    ],
    rows: grants.map(({ pattern, kind, sources }) => [
      toSafeLine(pattern),
      kind,
      toSafeLine(
        sources.map((source) => (source === 'global' ? 'configuration' : source)).join(', '),
      ),
    ]),
  })
}
