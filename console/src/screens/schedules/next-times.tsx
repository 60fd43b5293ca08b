import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api, read } from '../../api/client.ts'
import { toProblem } from '../../api/problem.ts'
import { TimeAgo } from '../../ui/time.tsx'
import { hereZone, formatDateTime } from './when-draft.ts'
import type { WhenRequest } from './when-draft.ts'
import styles from './schedules.module.css'

/** The next run times, computed by the server; undefined before the first request. */
export function useNextTimes(when: WhenRequest | undefined) {
  const [asked] = useDebouncedValue(when === undefined ? '' : JSON.stringify(when), 300)
  return useQuery({
    queryKey: ['schedules', 'preview', asked],
    queryFn: () =>
      read(
        api.POST('/api/v1/schedules/preview', {
          body: { when: JSON.parse(asked) as WhenRequest, count: 5 },
        }),
      ),
    enabled: asked !== '',
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: 30_000,
  })
}

/** The next five run times, in local time and in the schedule's time zone. */
export function NextTimes({ when }: { when: WhenRequest }) {
  const { data, error } = useNextTimes(when)
  if (error !== null) return <span className={styles.dim}>{toProblem(error).message}</span>
  return <Times times={data?.times ?? []} timezone={when.timezone} />
}

interface TimesProps {
  times: readonly string[]
  timezone: string | undefined
}

export function Times({ times, timezone }: TimesProps) {
  const isElsewhere = timezone !== undefined && timezone !== hereZone
  return (
    <ol className={styles.times}>
      {times.map((at) => (
        <li key={at}>
          <span>{formatDateTime(at)}</span>
          <span className={styles.dim}>
            {isElsewhere && `${formatDateTime(at, timezone)} in ${timezone} · `}
            <TimeAgo at={at} />
          </span>
        </li>
      ))}
    </ol>
  )
}
