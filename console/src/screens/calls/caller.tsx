import { useQuery } from '@tanstack/react-query'
import { IconKey, IconRobot, IconSettingsAutomation, IconUser } from '@tabler/icons-react'
import type { Icon } from '@tabler/icons-react'
import { useCallback } from 'react'
import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'
import { holds, useMe } from '../../api/me.ts'
import styles from './calls.module.css'

const icons: Readonly<Record<string, Icon>> = {
  user: IconUser,
  key: IconKey,
  agent: IconRobot,
}

interface CallerProps {
  principal: Api<'Principal'>
  agent?: string
  name?: string
}

/** Who asked for a call: the person, key or schedule, and the agent in between. */
export function Caller({ name, ...caller }: CallerProps) {
  const sayName = useNames()
  return <NamedCaller {...caller} name={name ?? sayName(caller.principal)} />
}

/** The same where the name is known: a long list asks for names once, not for every row. */
export function NamedCaller({ principal, agent, name }: CallerProps & { name: string }) {
  const Mark = agent === undefined ? (icons[principal.kind] ?? IconSettingsAutomation) : IconRobot
  return (
    <span className={styles.caller} title={`${principal.kind}:${principal.id}`} dir="auto">
      <Mark size={14} stroke={1.6} aria-hidden="true" />
      <span>
        {agent !== undefined && <>agent {agent} · </>}
        {name}
      </span>
    </span>
  )
}

/** The ids of members and keys as names, for whoever may know them. */
export function useNames(): (principal: Api<'Principal'>) => string {
  const me = useMe()
  const isOpen = (...permissions: string[]) =>
    permissions.some((permission) => holds(me.permissions, permission))
  const members = useQuery({
    queryKey: ['members', 'names'],
    queryFn: () => read(api.GET('/api/v1/members', { params: { query: { limit: 500 } } })),
    enabled: isOpen('members.manage', 'audit.read'),
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

interface Named {
  id: string
  name?: string
  email?: string
}

function nameIn(items: readonly Named[] | undefined, id: string): string | undefined {
  const found = items?.find((one) => one.id === id)
  return found?.name ?? found?.email
}
