import type { Stores } from '../../features/stores.ts'

/** More are not counted: this is a hint at the start of a server, not a report. */
const countedAtMost = 500

/**
 * Waiting turns of agents that were removed from the configuration. They are kept until the
 * calls they wait for expire, so a slip in the configuration costs nothing; the warning shows how
 * to end them.
 */
export async function findStranded(
  tenants: readonly string[],
  { conversations, rules }: Pick<Stores, 'conversations' | 'rules'>,
): Promise<string[]> {
  const found = await Promise.all(
    tenants.map(async (tenant) => {
      const query = { status: 'waiting', limit: countedAtMost } as const
      const { items } = await conversations.listTurns(tenant, query)
      const slugs = [...new Set(items.map(({ agent }) => agent))]
      const known = await Promise.all(slugs.map((slug) => rules.find(tenant, 'agent', slug)))
      const missing = slugs.filter((_, index) => known[index] === undefined)
      return missing.map((slug) => {
        const [first, ...others] = items.filter(({ agent }) => agent === slug)
        const more = others.length === 0 ? '' : ` and ${others.length} more`
        return `The agent ${slug} is no longer declared and has waiting turns: ${first?.id}${more}. They continue when the agent is declared again, and end when the calls they wait for expire. To end one now: toolcrib runs cancel ${first?.id}`
      })
    }),
  )
  return found.flat()
}
