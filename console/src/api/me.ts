import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { api, read } from './client.ts'
import type { Api } from './client.ts'

export type Me = Api<'WhoAmI'>

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: () => read(api.GET('/api/v1/me')),
  staleTime: 5 * 60_000,
})

/** Whoever is signed in. The shell has loaded it before any screen is drawn. */
export function useMe(): Me {
  return useSuspenseQuery(meQuery).data
}

/** Whether whoever is signed in holds a permission. The server decides; this spares a useless button. */
export function useCan(permission: string): boolean {
  return holds(useMe().permissions, permission)
}

export function holds(permissions: readonly string[], permission: string): boolean {
  return permissions.some(
    (held) =>
      held === '*' ||
      held === permission ||
      (held.endsWith('.*') && permission.startsWith(held.slice(0, -1))),
  )
}
