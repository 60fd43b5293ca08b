import { Button } from '@mantine/core'
import { IconPlayerStop, IconTerminal2 } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useCan } from '../../api/me.ts'
import { toSafeLine } from '../../output/values/safe-text.ts'
import { formatBytes } from '../../ui/format/format-bytes.ts'
import { confirm, notifyFailure, notifySuccess } from '../../ui/notify.ts'
import { QueryView } from '../../ui/query-view.tsx'
import { Empty } from '../../ui/states.tsx'
import { Tag } from '../../ui/tag.tsx'
import { formatDuration, TimeAgo, useNow } from '../../ui/time.tsx'
import { ProcessOutputView } from './process-output.tsx'
import { killProcess, processesQuery } from './process-queries.ts'
import type { WorkspaceProcess } from './process-queries.ts'
import styles from './processes.module.css'

const lookMs = 3000

/** The background processes of a workspace: those that run, then the others, the newest first. */
export function ProcessesView({ id }: { id: string }) {
  const query = useQuery({
    ...processesQuery(id),
    // They start and end by themselves.
    refetchInterval: ({ state }) =>
      state.data?.items.some((one) => one.state === 'running') === true ? lookMs : lookMs * 5,
  })
  return (
    <QueryView query={query}>
      {({ items }) =>
        items.length === 0 ? (
          <Empty
            title="No processes"
            icon={<IconTerminal2 size={24} stroke={1.5} aria-hidden="true" />}
          >
            Servers and watchers that the agent starts in the background appear here.
          </Empty>
        ) : (
          <ul className={styles.list}>
            {items.toSorted(byInterest).map((process) => (
              <Process key={process.pid} id={id} process={process} />
            ))}
          </ul>
        )
      }
    </QueryView>
  )
}

function byInterest(one: WorkspaceProcess, other: WorkspaceProcess): number {
  const running = Number(other.state === 'running') - Number(one.state === 'running')
  return running === 0 ? other.pid - one.pid : running
}

function Process({ id, process }: { id: string; process: WorkspaceProcess }) {
  const { pid, command, cwd, state } = process
  const [isOpen, setOpen] = useState(state === 'running')
  return (
    <li className={styles.process}>
      <div className={styles.head}>
        <div className={styles.title}>
          <code dir="auto">{toSafeLine(command).slice(0, 500)}</code>
          <span className={styles.facts}>
            {`Process ${pid}`}
            {cwd !== '' && cwd !== '.' && ` in ${toSafeLine(cwd)}`}
            <Length process={process} />
          </span>
        </div>
        <State process={process} />
        <Button variant="default" size="xs" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide output' : 'Show output'}
        </Button>
        {state === 'running' && <Kill id={id} process={process} />}
      </div>
      {isOpen && <ProcessOutputView id={id} process={process} />}
    </li>
  )
}

function State({ process: { state, exitCode, signal } }: { process: WorkspaceProcess }) {
  if (state === 'running') {
    return (
      <Tag tone="write" isBusy>
        Running
      </Tag>
    )
  }
  if (state === 'killed') return <Tag tone="ask">{`Stopped${signal ? ` by ${signal}` : ''}`}</Tag>
  if (exitCode === undefined) return <Tag tone="deny">{`Ended by ${signal ?? 'a signal'}`}</Tag>
  return <Tag tone={exitCode === 0 ? 'allow' : 'deny'}>{`Exit code ${exitCode}`}</Tag>
}

function Length({ process }: { process: WorkspaceProcess }) {
  const { startedAt, endedAt, stdoutBytes, stderrBytes } = process
  const now = useNow()
  const ms = Math.max(
    0,
    (endedAt === undefined ? now : Date.parse(endedAt)) - Date.parse(startedAt),
  )
  return (
    <>
      {' · started '}
      <TimeAgo at={startedAt} />
      {` · ${endedAt === undefined ? 'for' : 'took'} ${formatDuration(ms)}`}
      {` · ${formatBytes(stdoutBytes + stderrBytes)} of output`}
    </>
  )
}

function Kill({ id, process: { pid, command } }: { id: string; process: WorkspaceProcess }) {
  const queryClient = useQueryClient()
  const mayWrite = useCan('workspaces.write')
  const kill = useMutation({
    mutationFn: () => killProcess(id, pid),
    onSuccess: () => notifySuccess(`Process ${pid} stopped`),
    onError: notifyFailure,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['processes', id] }),
  })
  const ask = async () => {
    const isSure = await confirm({
      title: `Stop process ${pid}?`,
      message: `${toSafeLine(command).slice(0, 200)} is ended with all processes it has started. The agent is not asked.`,
      confirmLabel: 'Stop',
      isDangerous: true,
    })
    if (isSure) kill.mutate()
  }
  if (!mayWrite) return null
  return (
    <Button
      variant="default"
      size="xs"
      color="red"
      aria-label={`Stop process ${pid}`}
      loading={kill.isPending}
      leftSection={<IconPlayerStop size={14} stroke={1.6} />}
      onClick={() => void ask()}
    >
      Stop
    </Button>
  )
}
