import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'
import { confirm, notifyFailure } from '../../ui/notify.ts'
import type { Approval } from './use-approvals.ts'
import styles from './approvals.module.css'

interface BulkBarProps {
  chosen: readonly Approval[]
  tools: ReadonlyMap<string, Api<'ToolDetail'>>
  onClear: () => void
  onAnnounce: (text: string) => void
}

/** Decides on several requests at once. Each is decided separately; failed ones stay, with the reason. */
export function BulkBar({ chosen, tools, onClear, onAnnounce }: BulkBarProps) {
  const queryClient = useQueryClient()
  const [refused, setRefused] = useState<readonly string[]>([])
  const decide = useMutation({
    mutationFn: (decision: 'approve' | 'reject') =>
      read(
        api.POST('/api/v1/approvals/decisions', {
          body: {
            decisions: chosen.slice(0, 100).map(({ id, revision }) => ({ id, revision, decision })),
          },
        }),
      ),
    onSuccess: ({ items }) => {
      const failed = items.flatMap(({ error }) => error?.message ?? [])
      setRefused(failed)
      onAnnounce(resultText(items.length - failed.length, failed.length))
      if (failed.length === 0) onClear()
    },
    onError: notifyFailure,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['approvals'] }),
  })
  const count = chosen.length
  async function ask(decision: 'approve' | 'reject') {
    const isSure = await confirm(toQuestion(decision, chosen, tools))
    if (isSure) decide.mutate(decision)
  }
  return (
    <section className={styles.bulk} aria-label="Selected requests">
      <span>{count} selected</span>
      <Button size="compact-xs" onClick={() => void ask('approve')} loading={decide.isPending}>
        Approve
      </Button>
      <Button
        size="compact-xs"
        variant="default"
        onClick={() => void ask('reject')}
        disabled={decide.isPending}
      >
        Reject
      </Button>
      <Button size="compact-xs" variant="subtle" onClick={onClear}>
        Clear
      </Button>
      {refused.map((message) => (
        <span key={message} className={styles.problem} role="alert">
          {message}
        </span>
      ))}
    </section>
  )
}

function toQuestion(
  decision: 'approve' | 'reject',
  chosen: BulkBarProps['chosen'],
  tools: BulkBarProps['tools'],
) {
  const count = chosen.length === 1 ? '1 request' : `${chosen.length} requests`
  if (decision === 'reject') {
    return {
      title: `Reject ${count}?`,
      message: 'The calls are denied.',
      confirmLabel: 'Reject all',
      isDangerous: true,
    }
  }
  const destructive = chosen.filter(({ tool }) => tools.get(tool)?.effect === 'destructive').length
  const message = 'The calls run immediately with the input shown.'
  return {
    title: `Approve ${count}?`,
    message: destructive === 0 ? message : `${message} Destructive: ${destructive}.`,
    confirmLabel: 'Approve all',
    isDangerous: destructive > 0,
  }
}

function resultText(done: number, refused: number): string {
  const first = done === 1 ? '1 request decided.' : `${done} requests decided.`
  return refused === 0 ? first : `${first} ${refused} failed.`
}
