import { IconKey, IconRobot, IconSettingsAutomation, IconUser } from '@tabler/icons-react'
import type { Icon } from '@tabler/icons-react'
import type { Api } from '../../api/client.ts'
import { useNames } from '../../api/use-names.ts'
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

/** The caller of a call: the person, key or schedule, and the agent. */
export function Caller({ name, ...caller }: CallerProps) {
  const describeName = useNames()
  return <NamedCaller {...caller} name={name ?? describeName(caller.principal)} />
}

/** The same with a known name: a long list loads names once, not per row. */
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
