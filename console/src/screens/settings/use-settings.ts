import { useQuery } from '@tanstack/react-query'
import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'
import { holds, useMe } from '../../api/me.ts'

export type Settings = Api<'Settings'>

const opening = ['members.manage', 'keys.manage', 'audit.read']

/** The server's configuration, if you may read it. */
export function useSettings() {
  const { permissions } = useMe()
  return useQuery({
    queryKey: ['settings'],
    queryFn: () => read(api.GET('/api/v1/settings')),
    // The configuration is read when the server starts.
    staleTime: 5 * 60_000,
    enabled: opening.some((permission) => holds(permissions, permission)),
  })
}
