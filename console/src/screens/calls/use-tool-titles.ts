import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { api, read } from '../../api/client.ts'
import { useCan } from '../../api/me.ts'

/** The titles of tools by name. */
export function useToolTitles(): (name: string) => string | undefined {
  const mayCall = useCan('tools.call')
  const { data } = useQuery({
    queryKey: ['tools', 'titles'],
    queryFn: () => read(api.GET('/api/v1/tools', { params: { query: { limit: 200 } } })),
    enabled: mayCall,
    staleTime: 5 * 60_000,
    select: ({ items }) => new Map(items.map(({ name, title }) => [name, title])),
  })
  return useCallback((name) => data?.get(name), [data])
}
