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
  onSaid: (words: string) => void
}

/** One decision on several requests. Each is decided separately; those that fail stay, with the reason. */
export function BulkBar({ chosen, tools, onClear, onSaid }: BulkBarProps) {
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
      onSaid(sayResult(items.length - failed.length, failed.length))
      if (failed.length === 0) onClear()
    },
    onError: notifyFailure,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['approvals'] }),
  })
  const count = chosen.length
  async function ask(decision: 'approve' | 'reject') {
    const destructive = chosen.filter(({ tool }) => tools.get(tool)?.effect === 'destructive')
    const isSure = await confirm({
      title: `${decision === 'approve' ? 'Approve' : 'Reject'} ${count} ${count === 1 ? 'request' : 'requests'}?`,
      message:
        decision === 'reject'
          ? 'The calls are denied.'
          : destructive.length === 0
            ? 'The calls run immediately with the input shown.'
            : `The calls run immediately with the input shown. Destructive: ${destructive.length}.`,
      confirmLabel: decision === 'approve' ? 'Approve all' : 'Reject all',
      isDangerous: destructive.length > 0 || decision === 'reject',
    })
    if (isSure) decide.mutate(decision)
  }
  return (
    <section className={styles.bulk} aria-label="Decide together">
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

function sayResult(done: number, refused: number): string {
  const first = done === 1 ? '1 request decided.' : `${done} requests decided.`
  return refused === 0 ? first : `${first} ${refused} failed.`
}
