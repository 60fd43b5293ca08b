import { Button } from '@mantine/core'
import { Link, useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { Api } from '../../api/client.ts'
import { useCan } from '../../api/me.ts'
import { StatusTag } from '../../ui/status-tags.tsx'
import { SignInButton } from '../../ui/sign-in-button.tsx'
import { formatDuration } from '../../ui/time.tsx'
import { Explained } from './explained.tsx'
import { toSafeText } from '../values/safe-text.ts'
import styles from './call-result.module.css'

interface CallErrorCardProps {
  call: Api<'CallResult'>
  tool?: Api<'ToolDetail'> | undefined
  actions?: ReactNode
}

const noError: Api<'CallError'> = {
  code: 'internal',
  message: 'The call failed without a reason',
  retryable: false,
}

/** Why a call failed or was not allowed: the cause, the fix, and the next actions. */
export function CallErrorCard({ call, tool, actions }: CallErrorCardProps) {
  const { callId, status } = call
  const facts: Api<'CallError'> = call.error ?? noError
  const [isExplained, setExplained] = useState(false)
  const explainable = useExplainable(call)
  const server = facts.code === 'sign_in_required' ? serverOf(tool) : undefined
  // On its own page there is no link to it.
  const isHere = useLocation({ select: ({ pathname }) => pathname === `/calls/${callId}` })
  return (
    <div className={styles.card} data-tone="bad" role="alert">
      <div className={styles.head}>
        <StatusTag status={status} />
        <code>{facts.code}</code>
      </div>
      <h2 dir="auto">{toSafeText(facts.message)}</h2>
      {facts.fix !== undefined && <p dir="auto">{toSafeText(facts.fix)}</p>}
      <Issues issues={facts.issues ?? []} />
      <RetryHint error={facts} />
      <div className={styles.actions}>
        {actions}
        {server !== undefined && <SignInButton name={server} isUrgent size="xs" />}
        {explainable !== undefined && !isExplained && (
          <Button variant="default" size="xs" onClick={() => setExplained(true)}>
            Explain
          </Button>
        )}
        {!isHere && callId !== '' && (
          <Link to="/calls/$id" params={{ id: callId }}>
            Open the call
          </Link>
        )}
      </div>
      {isExplained && explainable !== undefined && <Explained id={explainable} />}
    </div>
  )
}

/**
 * The server whose sign-in is missing: people sign in for themselves, even without access to the server
 * list.
 */
function serverOf(tool: Api<'ToolDetail'> | undefined): string | undefined {
  return /^mcp:([^:]+):/.exec(tool?.name ?? '')?.[1]
}

/** The tool to explain, for people who may use explain. */
function useExplainable({ callId, status, error }: Api<'CallResult'>): string | undefined {
  const mayAsk = useCan('policy.read')
  if (!mayAsk) return undefined
  return error?.refusalId ?? (status === 'denied' && callId !== '' ? callId : undefined)
}

const mostIssues = 20

function Issues({ issues }: { issues: readonly Api<'Issue'>[] }) {
  if (issues.length === 0) return null
  return (
    <ul className={styles.issues}>
      {issues.slice(0, mostIssues).map(({ path, message }, index) => (
        <li key={index}>
          {path !== '' && (
            <>
              <code>{toSafeText(path)}</code>{' '}
            </>
          )}
          {toSafeText(message)}
        </li>
      ))}
      {issues.length > mostIssues && <li>{`and ${issues.length - mostIssues} more`}</li>}
    </ul>
  )
}

function RetryHint({ error: { retryable, retryAfterMs } }: { error: Api<'CallError'> }) {
  if (retryAfterMs !== undefined) {
    return <p className={styles.dim}>{`Try again in ${formatDuration(retryAfterMs)}.`}</p>
  }
  if (!retryable) return null
  return <p className={styles.dim}>This may be temporary. Try again later.</p>
}
