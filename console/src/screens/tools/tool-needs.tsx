import { Link } from '@tanstack/react-router'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { Api } from '../../api/client.ts'
import { useCan } from '../../api/me.ts'
import { findMissingSecret, findApi, findServer } from './find-need.ts'
import styles from './tool-needs.module.css'

/** Why a tool can't run, and a link to the fix. */
export function ToolNeeds({ tool }: { tool: Api<'Tool'> }) {
  const secret = findMissingSecret(tool)
  return (
    <span className={styles.needs}>
      <IconAlertTriangle size={14} stroke={1.6} aria-hidden="true" />
      <span title={tool.fix} className={styles.reason} dir="auto">
        {secret === undefined ? sentence(tool.reason ?? 'Not ready') : `Needs secret ${secret}`}
      </span>
      <MendLink tool={tool} />
    </span>
  )
}

/** The screen with the fix, for people with the permission. */
export function MendLink({ tool }: { tool: Api<'Tool'> }) {
  const secret = findMissingSecret(tool)
  const server = findServer(tool)
  const apiName = findApi(tool)
  const mayWrite = useCan('secrets.write')
  const mayManage = useCan('mcp.manage')
  const mayAccept = useCan('tools.approve') || mayManage
  if (secret !== undefined && mayWrite) {
    return (
      <Link to="/secrets" search={{ add: secret }} className={styles.link}>
        Add secret
      </Link>
    )
  }
  if (server !== undefined && mayAccept) {
    return (
      <Link to="/mcp-servers/$name" params={{ name: server }} className={styles.link}>
        Review change
      </Link>
    )
  }
  if (apiName !== undefined && mayAccept) {
    return (
      <Link to="/apis/$name" params={{ name: apiName }} className={styles.link}>
        Review change
      </Link>
    )
  }
  return null
}

function sentence(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
