import { Title } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'
import { usePollMs } from '../../live/use-live.ts'
import { StatusTag } from '../../ui/status-tags.tsx'
import { LoadMore } from '../../ui/list/load-more.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Failed } from '../../ui/states.tsx'
import { Tag } from '../../ui/tag.tsx'
import { TimeAgo } from '../../ui/time.tsx'
import styles from './schedules.module.css'

type Run = Api<'ScheduleRun'>

/** The runs of a schedule, newest first, with links to their calls. */
export function ScheduleRuns({ id }: { id: string }) {
  const refetchInterval = usePollMs()
  const query = useInfiniteQuery({
    queryKey: ['schedules', 'runs', id],
    queryFn: ({ pageParam }) =>
      read(
        api.GET('/api/v1/schedules/{id}/runs', {
          params: {
            path: { id },
            query: { limit: 20, ...(pageParam !== '' && { after: pageParam }) },
          },
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    // The end of a run has no event of its own, but its call does.
    refetchInterval: ({ state }) =>
      refetchInterval ||
      (state.data?.pages[0]?.items.some(({ status }) => status === 'running') ? 2000 : false),
  })
  const runs = query.data?.pages.flatMap((page) => page.items)
  return (
    <section aria-label="History">
      <Title order={2} mb="xs">
        History
      </Title>
      {runs === undefined && query.isError && (
        <Failed error={query.error} retry={() => void query.refetch()} />
      )}
      {runs === undefined && !query.isError && <Loading rows={3} />}
      {runs?.length === 0 && <p className={styles.dim}>No runs yet.</p>}
      <ul className={styles.runs}>
        {runs?.map((run) => (
          <RunRow key={run.runId} run={run} />
        ))}
      </ul>
      <LoadMore query={query} />
    </section>
  )
}

function RunRow({ run }: { run: Run }) {
  const remarks = [
    run.trigger === 'now' ? 'run manually' : undefined,
    run.tries > 1 ? `${run.tries} tries` : undefined,
    run.missed === undefined ? undefined : `covers ${run.missed} missed runs`,
  ].filter(Boolean)
  return (
    <li className={styles.run}>
      {run.status === 'skipped' ? <Tag>Skipped</Tag> : <StatusTag status={run.status} />}
      <TimeAgo at={run.dueAt} />
      {remarks.length > 0 && <span className={styles.dim}>{remarks.join(' · ')}</span>}
      <span className={styles.spread} />
      {run.callId !== undefined && (
        <Link to="/calls/$id" params={{ id: run.callId }} className={styles.link}>
          Open call
        </Link>
      )}
      {run.error !== undefined && (
        <p dir="auto">
          <code>{run.error.code}</code> {run.error.message}
        </p>
      )}
      {run.nextTryAt !== undefined && (
        <p>
          Next try <TimeAgo at={run.nextTryAt} />
        </p>
      )}
    </li>
  )
}
