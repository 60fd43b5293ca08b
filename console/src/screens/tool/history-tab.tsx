import { Button } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { IconHistory } from '@tabler/icons-react'
import { memo } from 'react'
import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'
import type { JsonValue } from '../../api/json.ts'
import { summarizeInputs } from '../../form/model/labels/summarize-inputs.ts'
import { usePollMs } from '../../live/use-live.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import { StatusTag } from '../../ui/status-tags.tsx'
import { Panel } from '../../ui/page.tsx'
import { ListView } from '../../ui/list/list-view.tsx'
import { Empty } from '../../ui/states.tsx'
import { formatDuration, TimeAgo } from '../../ui/time.tsx'
import styles from './history-tab.module.css'

interface HistoryTabProps {
  tool: string
  fill: (input: JsonValue) => void
}

const pageSize = 20

/** The calls of this tool, newest first; each can fill the form. */
export const HistoryTab = memo(function HistoryTab({ tool, fill }: HistoryTabProps) {
  const refetchInterval = usePollMs()
  const query = useInfiniteQuery({
    queryKey: ['calls', 'of-tool', tool],
    queryFn: ({ pageParam }) =>
      read(
        api.GET('/api/v1/calls', {
          params: { query: { tool, limit: pageSize, ...(pageParam && { after: pageParam }) } },
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    refetchInterval,
  })
  return (
    <Panel isFlush>
      <ListView
        query={query}
        items={query.data?.pages.flatMap(({ items }) => items)}
        empty={
          <Empty
            title="No calls yet"
            icon={<IconHistory size={24} stroke={1.5} aria-hidden="true" />}
          >
            Calls by people and agents appear here as they happen.
          </Empty>
        }
      >
        {(calls) => <HistoryRows calls={calls} fill={fill} />}
      </ListView>
    </Panel>
  )
})

interface HistoryRowsProps {
  calls: readonly Api<'CallRecord'>[]
  fill: (input: JsonValue) => void
}

/** Inputs are shown by the fields in which they differ. */
function HistoryRows({ calls, fill }: HistoryRowsProps) {
  const summaries = summarizeInputs(calls.map(({ input }) => (input ?? null) as JsonValue))
  return (
    <ul className={styles.calls}>
      {calls.map((call, index) => (
        <HistoryRow key={call.callId} call={call} summary={summaries[index] ?? ''} fill={fill} />
      ))}
    </ul>
  )
}

interface HistoryRowProps {
  call: Api<'CallRecord'>
  summary: string
  fill: (input: JsonValue) => void
}

function HistoryRow({ call, summary, fill }: HistoryRowProps) {
  const { callId, status, requestedAt, startedAt, settledAt, input } = call
  const took =
    startedAt === undefined || settledAt === undefined
      ? undefined
      : Date.parse(settledAt) - Date.parse(startedAt)
  return (
    <li className={styles.call}>
      <div className={styles.facts}>
        <StatusTag status={status} />
        <Link to="/calls/$id" params={{ id: callId }} className={styles.when}>
          <TimeAgo at={requestedAt} />
        </Link>
        <span>{describeCaller(call)}</span>
        {took !== undefined && <span>{formatDuration(took)}</span>}
      </div>
      <div className={styles.line}>
        <span className={styles.given} dir="auto">
          {input === undefined ? 'Input not stored' : summary}
        </span>
        <LinkButton
          variant="default"
          size="compact-xs"
          to="/tools/$name"
          params={{ name: call.tool }}
          search={{ call: callId }}
          resetScroll={false}
        >
          Show
        </LinkButton>
        {input !== undefined && (
          <Button variant="default" size="compact-xs" onClick={() => fill(input as JsonValue)}>
            Fill form
          </Button>
        )}
      </div>
    </li>
  )
}

function describeCaller({ agent, principal, runtime }: Api<'CallRecord'>): string {
  if (agent !== undefined) return `agent ${agent}`
  return runtime === 'web' ? 'in the console' : `${principal.kind} by ${runtime}`
}
