import { useQuery } from '@tanstack/react-query'
import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'
import { useCan, useMe } from '../../api/me.ts'

/** People by name where this person may know the names; else by kind and id, and `you`. */
export function useNameOf(): (principal: Api<'Principal'>) => string {
  const me = useMe()
  const mayList = useCan('members.manage')
  const { data } = useQuery({
    queryKey: ['members', 'names'],
    queryFn: () => read(api.GET('/api/v1/members')),
    enabled: mayList,
    staleTime: 5 * 60_000,
  })
  const names = new Map(data?.items.map(({ id, name }) => [id, name]))
  return ({ kind, id }) => {
    if (kind === me.principal.kind && id === me.principal.id) return 'you'
    const name = kind === 'user' ? names.get(id) : undefined
    if (name !== undefined && name !== '') return name
    return kind === 'user' ? id : `${kind} ${id}`
  }
}
