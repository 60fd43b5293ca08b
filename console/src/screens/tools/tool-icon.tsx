import { IconPlugConnected, IconRobot, IconTool } from '@tabler/icons-react'
import type { Icon } from '@tabler/icons-react'
import { icons } from './icons.ts'
import styles from './tool-icon.module.css'

const bySource: Record<string, Icon> = { gateway: IconPlugConnected, agent: IconRobot }

/** The icon of a tool: the one its definition names, otherwise that of its source. */
export function ToolIcon({ icon, source }: { icon?: string | undefined; source: string }) {
  const named = icon !== undefined && Object.hasOwn(icons, icon) ? icons[icon] : undefined
  const Picture = named ?? bySource[source] ?? IconTool
  return (
    <span className={styles.icon} aria-hidden="true">
      <Picture size={17} stroke={1.6} />
    </span>
  )
}
