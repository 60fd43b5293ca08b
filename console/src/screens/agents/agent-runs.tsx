import { Button, Group, Textarea } from '@mantine/core'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { IconPlayerPlay } from '@tabler/icons-react'
import { useState } from 'react'
import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'
import { useCan } from '../../api/me.ts'
import { usePollMs } from '../../live/use-live.ts'
import { StatusTag } from '../../ui/status-tags.tsx'
import { Panel } from '../../ui/page.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { notifySuccess, notifyFailure } from '../../ui/notify.ts'
import { MakeToolButton } from '../studio/from/make-tool-button.tsx'
import { LoadMore } from '../../ui/list/load-more.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Empty, Failed, NotAllowed } from '../../ui/states.tsx'
import { TimeAgo } from '../../ui/time.tsx'
import { formatNumber } from '../../ui/format/locale.ts'
import styles from './agent.module.css'

type Run = Api<'Run'>

const route = getRouteApi('/agents/$slug')

/** All runs of an agent, newest first, and a form to start a task. */
export function AgentRuns({ slug }: { slug: string }) {
  if (!useCan('agents.chat')) {
    return (
      <NotAllowed>You need the permission agents.chat to start tasks and read runs.</NotAllowed>
    )
  }
  return (
    <div className={styles.narrow}>
      <SetTask slug={slug} />
      <RunList slug={slug} />
    </div>
  )
}

function SetTask({ slug }: { slug: string }) {
  const [prompt, setPrompt] = useState('')
  const queryClient = useQueryClient()
  const start = useMutation({
    mutationFn: () =>
      read(
        api.POST('/api/v1/agents/{slug}/runs', { params: { path: { slug } }, body: { prompt } }),
      ),
    onSuccess: async () => {
      setPrompt('')
      notifySuccess('Task started')
      await queryClient.invalidateQueries({ queryKey: ['runs'] })
    },
    onError: notifyFailure,
  })
  return (
    <Panel title="New task">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (prompt.trim() !== '') start.mutate()
        }}
      >
        <Textarea
          aria-label="Task"
          placeholder="What should the agent do? Runs in the background, even across restarts."
          autosize
          minRows={2}
          maxRows={10}
          dir="auto"
          value={prompt}
          onChange={({ currentTarget }) => setPrompt(currentTarget.value)}
        />
        <Group justify="flex-end" mt="sm">
          <Button
            type="submit"
            disabled={prompt.trim() === ''}
            loading={start.isPending}
            leftSection={<IconPlayerPlay size={15} aria-hidden="true" />}
          >
            Start
          </Button>
        </Group>
      </form>
    </Panel>
  )
}

function RunList({ slug }: { slug: string }) {
  const { run: chosen } = route.useSearch()
  const refetchInterval = usePollMs()
  const runs = useInfiniteQuery({
    queryKey: ['runs', 'of', slug],
    queryFn: ({ pageParam }) =>
      read(
        api.GET('/api/v1/runs', {
          params: {
            query: { agent: slug, limit: 25, ...(pageParam !== '' && { after: pageParam }) },
          },
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    refetchInterval,
  })
  return (
    <Panel title="Runs" className={styles.below} isFlush>
      {runs.data === undefined ? (
        runs.isError ? (
          <Failed error={runs.error} retry={() => void runs.refetch()} />
        ) : (
          <Loading rows={4} />
        )
      ) : (
        <Runs runs={runs.data.pages.flatMap(({ items }) => items)} chosen={chosen} />
      )}
      <LoadMore query={runs} />
    </Panel>
  )
}

function Runs({ runs, chosen }: { runs: readonly Run[]; chosen: string | undefined }) {
  if (runs.length === 0) {
    return <Empty title="No runs yet">Start a task above, or use the chat.</Empty>
  }
  return (
    <ul className={styles.rows}>
      {runs.map((run) => (
        <RunRow key={run.id} run={run} isOpen={run.id === chosen} />
      ))}
    </ul>
  )
}

/** The token count of an interrupted answer is an estimate, or unknown. */
function tokensText({ inputTokens, outputTokens, cutOffCalls }: Run['usage']): string {
  const tokens = inputTokens + outputTokens
  if (cutOffCalls !== undefined && tokens === 0) return 'unknown number of tokens'
  return `${cutOffCalls === undefined ? '' : 'about '}${formatNumber(tokens)} tokens`
}

function RunRow({ run, isOpen }: { run: Run; isOpen: boolean }) {
  const { id, agent, conversationId, title, status, steps, usage, createdAt, waiting = [] } = run
  return (
    <li className={styles.run}>
      <div className={styles.runHead}>
        <StatusTag status={status} />
        <Link
          to="/chat/{-$agent}/{-$conversation}"
          params={{ agent, conversation: conversationId }}
        >
          <span dir="auto">{title ?? 'Open conversation'}</span>
        </Link>
        <span className={styles.runFacts}>
          <span>
            {steps} {steps === 1 ? 'step' : 'steps'}
          </span>
          <span>{tokensText(usage)}</span>
          {usage.cost > 0 && <span>{formatNumber(usage.cost)} units</span>}
          <TimeAgo at={createdAt} />
        </span>
        {isActive(status) ? (
          <StopRun id={id} />
        ) : (
          steps > 1 && <MakeToolButton source={{ run: id }} size="compact-xs" />
        )}
      </div>
      {waiting.map((approval) => (
        <p key={approval.id} className={styles.runText}>
          Waiting for approval of <code>{approval.tool}</code>:{' '}
          <Link to="/approvals" search={{ id: approval.id }}>
            Review
          </Link>
        </p>
      ))}
      {run.error !== undefined && <p className={styles.runError}>{run.error.message}</p>}
      {status === 'completed' && <RunOutput id={id} isOpen={isOpen} />}
    </li>
  )
}

/** Lists do not include the answer; it is loaded when the row is opened. */
function RunOutput({ id, isOpen }: { id: string; isOpen: boolean }) {
  const [wasOpened, setOpened] = useState(isOpen)
  const run = useQuery({
    queryKey: ['runs', 'one', id],
    queryFn: () => read(api.GET('/api/v1/runs/{id}', { params: { path: { id } } })),
    enabled: wasOpened,
  })
  return (
    <details open={isOpen} onToggle={() => setOpened(true)}>
      <summary>Answer</summary>
      {wasOpened && (
        <QueryView query={run} loading={<Loading rows={1} />}>
          {({ output = '' }) => (
            <p className={styles.runText} dir="auto">
              {output === '' ? 'The answer is empty.' : output}
            </p>
          )}
        </QueryView>
      )}
    </details>
  )
}

function StopRun({ id }: { id: string }) {
  const queryClient = useQueryClient()
  const stop = useMutation({
    mutationFn: () => read(api.POST('/api/v1/runs/{id}/cancel', { params: { path: { id } } })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['runs'] }),
    onError: notifyFailure,
  })
  return (
    <Button size="xs" variant="default" loading={stop.isPending} onClick={() => stop.mutate()}>
      Stop
    </Button>
  )
}

function isActive(status: string): boolean {
  return !['completed', 'failed', 'cancelled'].includes(status)
}
