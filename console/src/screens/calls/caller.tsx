import { useQuery } from '@tanstack/react-query'
import { IconKey, IconRobot, IconSettingsAutomation, IconUser } from '@tabler/icons-react'
import type { Icon } from '@tabler/icons-react'
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
export function Caller({ principal, agent, name }: CallerProps) {
  const sayName = useNames()
  const Mark = agent === undefined ? (icons[principal.kind] ?? IconSettingsAutomation) : IconRobot
  const who = name ?? sayName(principal)
  return (
    <span className={styles.caller} title={`${principal.kind}:${principal.id}`} dir="auto">
      <Mark size={14} stroke={1.6} aria-hidden="true" />
      <span>
        {agent !== undefined && <>agent {agent} · </>}
        {who}
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
  return ({ kind, id }) => {
    if (kind === me.principal.kind && id === me.principal.id) return 'you'
    if (kind === 'user') return nameIn(members.data?.items, id) ?? id
    if (kind === 'key') return nameIn(keys.data?.items, id) ?? `key ${id}`
    if (id.startsWith('schedule:')) return 'a schedule'
    return kind === 'agent' ? `agent ${id}` : id
  }
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
