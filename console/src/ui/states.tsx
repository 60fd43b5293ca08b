import { Button } from '@mantine/core'
import { IconAlertTriangle, IconLock } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { toProblem } from '../api/problem.ts'
import { CopyText } from './copy.tsx'
import styles from './states.module.css'

interface EmptyProps {
  title: string
  icon?: ReactNode
  /** Why it is empty, and what to do. */
  children?: ReactNode
  actions?: ReactNode
}

/** Nothing is here: why, and what to do about it. */
export function Empty({ title, icon, children, actions }: EmptyProps) {
  return (
    <div className={styles.state} data-frame>
      {icon !== undefined && <span className={styles.icon}>{icon}</span>}
      <h2>{title}</h2>
      {children !== undefined && <p>{children}</p>}
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </div>
  )
}

/** The error in place of the part that failed: cause, fix, code, request id, retry. */
export function Failed({ error, retry }: { error: unknown; retry?: () => void }) {
  const problem = toProblem(error)
  if (problem.code === 'forbidden') return <NotAllowed>{problem.message}</NotAllowed>
  return (
    <div className={styles.state} role="alert" data-frame>
      <span className={styles.icon}>
        <IconAlertTriangle size={24} stroke={1.5} aria-hidden="true" />
      </span>
      <h2>{problem.message}</h2>
      {problem.fix !== undefined && <p>{problem.fix}</p>}
      <span className={styles.facts}>
        <code>{problem.code}</code>
        {problem.requestId !== undefined && (
          <>
            {' · request '}
            <CopyText text={problem.requestId} />
          </>
        )}
      </span>
      {retry !== undefined && (
        <div className={styles.actions}>
          <Button variant="default" onClick={retry}>
            Try again
          </Button>
        </div>
      )}
    </div>
  )
}

/** Shown instead of content that needs another role. */
export function NotAllowed({ children }: { children?: ReactNode }) {
  return (
    <Empty
      title="You don’t have access to this"
      icon={<IconLock size={24} stroke={1.5} aria-hidden="true" />}
    >
      {children ?? 'Your role does not include it.'} Someone who manages members can change that.
    </Empty>
  )
}
