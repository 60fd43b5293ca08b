import type { Agent } from '../../../../features/agents/schemas.ts'
import { agentFacts, warningsOf } from '../../../../features/agents/terminal.ts'
import type { CommandContext } from '../../command.ts'
import { exit } from '../../exit-codes.ts'
import { showRecord } from '../../operations/show-answer.ts'
import type { ByHand } from '../../operations/to-command.ts'
import { showWarnings } from '../../output/show-warnings.ts'
import { usageError } from '../../parse-options.ts'

/** The verbs of `toolcrib agents` that are not operations. */
export const agentsByHand: ByHand = {
  actions: {
    revoke: { usage: ['agents revoke <agent> <pattern>'], maxWords: 2, run: revoke },
  },
}

/** Removes both the grant and the deny of a pattern, if there are both. */
async function revoke({ words, connect, screen }: CommandContext): Promise<number> {
  const [, slug, pattern] = words
  if (slug === undefined || pattern === undefined) {
    const missing = slug === undefined ? 'agent' : 'pattern'
    throw usageError(`The ${missing} is missing.`, 'Write toolcrib agents revoke <agent> <pattern>')
  }
  const { client } = await connect()
  const path = `/agents/${encodeURIComponent(slug)}`
  let agent = await client.read<Agent>(path)
  const kinds = agent.grants.filter((grant) => grant.pattern === pattern).map(({ kind }) => kind)
  for (const kind of kinds.length === 0 ? (['allow'] as const) : kinds) {
    const query = { pattern, kind }
    agent = await client.read<Agent>(`${path}/grants`, { method: 'DELETE', query })
  }
  if (screen.isJson) screen.json(agent)
  else showRecord(screen, { record: agentFacts, remarks: warningsOf }, agent)
  showWarnings(screen, agent)
  return exit.ok
}
