import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { api, read } from './client.ts'
import type { Api } from './client.ts'
import { toProblem } from './problem.ts'
import { session } from './session.ts'

export type Me = Api<'WhoAmI'>

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: findMe,
  staleTime: 5 * 60_000,
})

async function findMe(): Promise<Me> {
  try {
    return await read(api.GET('/api/v1/me'))
  } catch (error) {
    // The tenant was deleted, or the person who signed in since has no access to it: switch back to their
    // own.
    const { status } = toProblem(error)
    const isElsewhere = session.tenant() !== undefined
    if (isElsewhere && (status === 403 || status === 404)) session.enterTenant(undefined)
    throw error
  }
}

/** The signed-in person. The shell has loaded it before any screen is drawn. */
export function useMe(): Me {
  return useSuspenseQuery(meQuery).data
}

/** Whether the signed-in person holds a permission. The server decides; this spares a useless button. */
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
