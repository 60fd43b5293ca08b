import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Api } from '../../api/client.ts'
import { StatusTag } from '../../ui/status-tags.tsx'
import styles from './call-result.module.css'

interface CallWaitingProps {
  call: Api<'CallResult'>
  actions?: ReactNode
}

const words = {
  approval: {
    title: 'Waiting for approval',
    text: 'Someone has to approve it first. It continues by itself after the decision.',
  },
  external: {
    title: 'Waiting for external work',
    text: 'An external worker has taken it over. The call ends when the worker reports a result.',
  },
  call: {
    title: 'Waiting for a nested call',
    text: 'That call is waiting for approval or an external worker. This one continues after it.',
  },
  unknown: { title: 'Waits', text: 'It continues by itself.' },
}

/** The reason a call waits, and where that is decided. */
export function CallWaiting({ call: { waitingFor, approvalId }, actions }: CallWaitingProps) {
  const { title, text } = words[waitingFor ?? 'unknown']
  return (
    <div className={styles.card} aria-live="polite">
      <div className={styles.head}>
        <StatusTag status="waiting" />
        <h2>{title}</h2>
      </div>
      <p className={styles.dim}>{text}</p>
      <div className={styles.actions}>
        {approvalId !== undefined && (
          <Link to="/approvals" search={{ id: approvalId }}>
            Open the approval
          </Link>
        )}
        {actions}
      </div>
    </div>
  )
}
