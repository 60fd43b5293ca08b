import type { Store } from '../../core/ports.ts'

/** More are not counted: it is a word to whoever starts a server, not a report. */
const countedAtMost = 500

/**
 * Turns of agents that are not there: they were taken out of the configuration while somebody was
 * asked. They stay as long as that does, so that a slip in the configuration costs nothing; whoever
 * meant it is told how to end them.
 */
export async function findStranded(
  tenants: readonly string[],
  { conversations, rules }: Pick<Store, 'conversations' | 'rules'>,
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
        return `The agent ${slug} is not declared any more, and ${first?.id}${more} of it waits. It goes on once the agent is back, and ends when what it waits for runs out; to end it now: toolcrib runs cancel ${first?.id}`
      })
    }),
  )
  return found.flat()
}
