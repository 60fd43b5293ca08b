import { Button, CloseButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { IconRefresh } from '@tabler/icons-react'
import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'
import type { ApiProblem } from '../../api/problem.ts'
import { useCan } from '../../api/me.ts'
import type { Message } from './turn/message.ts'
import type { StoredConversation } from './turn/use-conversation.ts'
import { secretIn } from './welcome.tsx'
import styles from './chat.module.css'

/** Why a message was refused; its text is back in the composer. */
export function SendProblem({
  problem,
  onDismiss,
}: {
  problem: ApiProblem
  onDismiss: () => void
}) {
  return (
    <div className={styles.problem} role="alert">
      <CloseButton size="sm" style={{ float: 'right' }} aria-label="Close" onClick={onDismiss} />
      <strong>{describeSend(problem)}</strong>
      {problem.fix !== undefined && problem.code !== 'conversation_busy' && <p>{problem.fix}</p>}
    </div>
  )
}

function describeSend({ code, message }: ApiProblem): string {
  if (code === 'conversation_busy') {
    return 'The agent is still working, maybe started from another tab. Wait for it, decide on its request, or stop it.'
  }
  if (code === 'body_too_large') return `The message is too large: ${message}`
  return message
}

interface TurnEndProps {
  stored: StoredConversation
  last: Message | undefined
  onAgain: () => void
}

/** How the last turn ended, if it failed or was stopped, and a button to try again. */
export function TurnEnd({ stored, last, onAgain }: TurnEndProps) {
  const { id, status: standing } = stored.detail
  const isIdle = standing === 'idle' && last !== undefined
  const run = useLastRun(id, isIdle ? last.id : undefined)
  if (!isIdle) return null
  const { status, error } = run ?? {}
  if (status !== 'cancelled' && error !== undefined) {
    return <TurnFailed error={error} onAgain={onAgain} />
  }
  return (
    <div className={styles.headActions}>
      {status === 'cancelled' && <span className={styles.note}>Stopped.</span>}
      <Again onAgain={onAgain} />
    </div>
  )
}

/** The end of a turn is part of its run: a turn that failed early has no message. */
function useLastRun(conversationId: string, messageId: string | undefined) {
  const { data } = useQuery({
    queryKey: ['runs', 'last', conversationId, messageId],
    queryFn: () =>
      read(api.GET('/api/v1/runs', { params: { query: { conversationId, limit: 1 } } })),
    enabled: messageId !== undefined,
  })
  return data?.items[0]
}

type TurnError = NonNullable<Api<'Run'>['error']>

function TurnFailed({ error, onAgain }: { error: TurnError; onAgain: () => void }) {
  const secret = secretIn(error.fix)
  const maySecrets = useCan('secrets.write')
  return (
    <div className={styles.problem} role="alert">
      <strong dir="auto">{error.message}</strong>
      <p dir="auto">{error.fix ?? wayOut[error.code] ?? 'Try again.'}</p>
      <div className={styles.problemActions}>
        <Again onAgain={onAgain} />
        {secret !== undefined && maySecrets && (
          <Button
            size="compact-sm"
            variant="default"
            renderRoot={(props) => <Link to="/secrets" search={{ add: secret }} {...props} />}
          >
            Add secret {secret}
          </Button>
        )}
        {isLimit(error.code) && (
          <Button size="compact-sm" variant="default" component={Link} to="/usage">
            View limits
          </Button>
        )}
      </div>
    </div>
  )
}

const wayOut: Readonly<Record<string, string>> = {
  rate_limited: 'Wait a moment, then regenerate the answer.',
  budget_exceeded: 'Someone who manages limits can raise the budget.',
  quota_exceeded: 'Someone who manages limits can raise the quota.',
  timeout: 'Ask for less at once, then regenerate the answer.',
  interrupted: 'Regenerate the answer.',
}

function isLimit(code: string): boolean {
  return ['rate_limited', 'budget_exceeded', 'quota_exceeded'].includes(code)
}

function Again({ onAgain }: { onAgain: () => void }) {
  return (
    <Button
      size="compact-sm"
      variant="default"
      leftSection={<IconRefresh size={14} stroke={1.6} />}
      onClick={onAgain}
    >
      Regenerate
    </Button>
  )
}
