import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { api, read } from './client.ts'
import type { Api } from './client.ts'
import { holds, useMe } from './me.ts'

export type NameOf = (principal: Api<'Principal'>) => string

/** People and keys by name instead of by id; oneself as `you`. */
export function useNames(): NameOf {
  const me = useMe()
  const isOpen = (...permissions: string[]) =>
    permissions.some((permission) => holds(me.permissions, permission))
  const members = useQuery({
    queryKey: ['members', 'names'],
    queryFn: () => read(api.GET('/api/v1/members/names')),
    enabled: me.principal.kind === 'user' || isOpen('members.manage', 'audit.read'),
    staleTime: 5 * 60_000,
  })
  const keys = useQuery({
    queryKey: ['keys', 'names'],
    queryFn: () => read(api.GET('/api/v1/keys', { params: { query: { limit: 500 } } })),
    enabled: isOpen('keys.manage'),
    staleTime: 5 * 60_000,
  })
  const memberItems = members.data?.items
  const keyItems = keys.data?.items
  const own = me.principal
  return useCallback(
    ({ kind, id }) => {
      if (kind === own.kind && id === own.id) return 'you'
      if (kind === 'user') return nameIn(memberItems, id) ?? id
      if (kind === 'key') return nameIn(keyItems, id) ?? `key ${id}`
      if (id.startsWith('schedule:')) return 'a schedule'
      return kind === 'agent' ? `agent ${id}` : id
    },
    [own, memberItems, keyItems],
  )
}

/** `user:mem_…` as an event has it. */
export function parsePrincipal(text: string): Api<'Principal'> | undefined {
  const [, kind, id] = /^(user|key|agent|worker|embed|system):(.+)$/s.exec(text) ?? []
  if (kind === undefined || id === undefined) return undefined
  return { kind: kind as Api<'Principal'>['kind'], id }
}

/** The author in a rule's `user:mem_… on 2026-11-18 20:28`, by name instead of by id. */
export function nameRuleAuthor(setBy: string, nameOf: NameOf): string {
  const [who = '', ...rest] = setBy.split(' ')
  const principal = parsePrincipal(who)
  return principal === undefined ? setBy : [nameOf(principal), ...rest].join(' ')
}

interface Named {
  id: string
  name?: string
}

function nameIn(items: readonly Named[] | undefined, id: string): string | undefined {
  const name = items?.find((one) => one.id === id)?.name
  return name === '' ? undefined : name
}
