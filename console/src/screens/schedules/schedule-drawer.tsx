import { Button, Group, Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api, read } from '../../api/client.ts'
import type { JsonValue } from '../../api/json.ts'
import { useNames } from '../../api/use-names.ts'
import { JsonTree } from '../../output/json/json-tree.tsx'
import { Caution } from '../../ui/dialog/caution.tsx'
import { CopyText } from '../../ui/copy.tsx'
import { Facts } from '../../ui/facts.tsx'
import { LoadingFacts } from '../../ui/loading.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { SidePanel } from '../../ui/dialog/side-panel.tsx'
import { TimeAgo } from '../../ui/time.tsx'
import { NextTimes } from './next-times.tsx'
import { describeSchedule } from './describe-schedule.ts'
import { ScheduleRuns } from './schedule-runs.tsx'
import { Moment, ScheduleState } from './schedule-table.tsx'
import { useScheduleActions } from './use-schedule-actions.ts'
import type { Schedule } from './use-schedule-actions.ts'
import styles from './schedules.module.css'

interface ScheduleDrawerProps {
  id: string
  mayManage: boolean
  onEdit: (schedule: Schedule) => void
  onClose: () => void
}

/** One schedule beside the list: what it runs, when, for whom, and its history. */
export function ScheduleDrawer({ id, mayManage, onEdit, onClose }: ScheduleDrawerProps) {
  const query = useQuery({
    queryKey: ['schedules', 'one', id],
    queryFn: () => read(api.GET('/api/v1/schedules/{id}', { params: { path: { id } } })),
  })
  return (
    <SidePanel title={query.data?.name ?? 'Schedule'} onClose={onClose}>
      <QueryView query={query} loading={<LoadingFacts rows={9} />}>
        {(schedule) => (
          <Stack gap="lg">
            {mayManage && <Actions schedule={schedule} onEdit={onEdit} onGone={onClose} />}
            {schedule.state === 'disabled' && (
              <Caution tone="deny" title="This schedule is disabled">
                {schedule.reason ?? 'It failed too many times in a row.'} Fix the cause, then resume
                it.
              </Caution>
            )}
            <ScheduleFacts schedule={schedule} />
            <section aria-label="Input">
              <Title order={2} mb="xs">
                Input
              </Title>
              <JsonTree value={(schedule.input ?? null) as JsonValue} label="Input" />
            </section>
            <ScheduleRuns id={schedule.id} />
          </Stack>
        )}
      </QueryView>
    </SidePanel>
  )
}

interface ActionsProps {
  schedule: Schedule
  onEdit: (schedule: Schedule) => void
  onGone: () => void
}

function Actions({ schedule, onEdit, onGone }: ActionsProps) {
  const { run, pause, remove } = useScheduleActions(schedule)
  const isActive = schedule.state === 'active'
  return (
    <Group gap="xs">
      <Button size="xs" loading={run.isPending} onClick={() => run.mutate()}>
        Run now
      </Button>
      {schedule.state !== 'finished' && (
        <Button
          size="xs"
          variant="default"
          loading={pause.isPending}
          onClick={() => pause.mutate(isActive)}
        >
          {isActive ? 'Pause' : 'Resume'}
        </Button>
      )}
      <Button size="xs" variant="default" onClick={() => onEdit(schedule)}>
        Edit
      </Button>
      <Button
        size="xs"
        variant="default"
        onClick={() => void remove().then((isGone) => isGone && onGone())}
      >
        Delete
      </Button>
    </Group>
  )
}

function ScheduleFacts({ schedule }: { schedule: Schedule }) {
  const { note, runsFor, createdBy } = schedule
  const nameOf = useNames()
  return (
    <Facts>
      <dt>State</dt>
      <dd>
        <ScheduleState schedule={{ ...schedule, reason: undefined }} />
      </dd>
      {note !== undefined && (
        <>
          <dt>Note</dt>
          <dd dir="auto">{note}</dd>
        </>
      )}
      <dt>Tool</dt>
      <dd>
        <Link to="/tools/$name" params={{ name: schedule.tool }} className={styles.link}>
          <code>{schedule.tool}</code>
        </Link>
        {schedule.agent !== undefined && <> as the agent {schedule.agent}</>}
      </dd>
      <WhenFacts schedule={schedule} />
      <dt>If the previous run is still running</dt>
      <dd>
        {schedule.overlap === 'skip' ? 'The new run is skipped' : 'The new run starts anyway'}
      </dd>
      <dt>If it fails</dt>
      <dd>
        {schedule.retries === 0
          ? 'No retries'
          : `Retried up to ${schedule.retries} times, with increasing delay`}
      </dd>
      <dt>Runs for</dt>
      <dd>{nameOf(runsFor)}</dd>
      <dt>Created</dt>
      <dd>
        <TimeAgo at={schedule.createdAt} /> by {nameOf(createdBy)}
      </dd>
      <dt>Id</dt>
      <dd>
        <CopyText text={schedule.id} />
      </dd>
    </Facts>
  )
}

function WhenFacts({ schedule: { when, state } }: { schedule: Schedule }) {
  return (
    <>
      <dt>When</dt>
      <dd>
        {describeSchedule(when)}
        {'cron' in when && (
          <span className={styles.dim}>
            {' '}
            <code>{when.cron}</code> in {when.timezone}
          </span>
        )}
        {'at' in when && <Moment at={when.at} />}
      </dd>
      {state === 'active' && !('at' in when) && (
        <>
          <dt>Next runs</dt>
          <dd>
            <NextTimes when={when} />
          </dd>
        </>
      )}
    </>
  )
}
