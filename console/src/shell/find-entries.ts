import { queryOptions } from '@tanstack/react-query'
import { api, read } from '../api/client.ts'
import { holds } from '../api/me.ts'
import type { Me } from '../api/me.ts'
import type { Found } from './palette-entries.ts'

const most = 12

/** The server's matches for the palette; things without access are not requested. */
export function foundQuery(words: string, { permissions }: Pick<Me, 'permissions'>) {
  const asked = words.trim()
  return queryOptions({
    queryKey: ['tools', 'palette', asked],
    queryFn: async (): Promise<Found> => {
      const [tools, agents] = await Promise.all([
        holds(permissions, 'tools.call') ? findTools(asked) : [],
        asked === '' ? [] : findAgents(asked, permissions),
      ])
      return { tools, agents }
    },
    staleTime: 10_000,
  })
}

/** The best first: a list by name would bury what was meant. */
async function findTools(asked: string): Promise<Found['tools']> {
  const { items } =
    asked === ''
      ? await read(api.GET('/api/v1/tools', { params: { query: { limit: most } } }))
      : await read(api.GET('/api/v1/tool-search', { params: { query: { q: asked, limit: most } } }))
  return items
}

async function findAgents(asked: string, permissions: readonly string[]): Promise<Found['agents']> {
  if (holds(permissions, 'policy.read') || holds(permissions, 'agents.manage')) {
    const query = { q: asked.slice(0, 200), limit: most }
    const { items } = await read(api.GET('/api/v1/agents', { params: { query } }))
    return items.map(({ slug, name }) => ({ slug, name: name ?? slug }))
  }
  if (!holds(permissions, 'agents.chat')) return []
  const { items } = await read(
    api.GET('/api/v1/chat/agents', { params: { query: { limit: 200 } } }),
  )
  return items
    .map(({ slug, name }) => ({ slug, name: name ?? slug }))
    .filter(({ slug, name }) => `${slug} ${name}`.toLowerCase().includes(asked.toLowerCase()))
}
