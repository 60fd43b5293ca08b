import {
  IconPlayerPause,
  IconPlayerPlay,
  IconPlayerTrackNext,
  IconTrash,
} from '@tabler/icons-react'
import { Cell, ListTable } from '../../ui/list/list-table.tsx'
import { RowActions } from '../../ui/list/row-actions.tsx'
import { Tag } from '../../ui/tag.tsx'
import type { Tone } from '../../ui/tag.tsx'
import { TimeAgo } from '../../ui/time.tsx'
import { describeSchedule } from './describe-schedule.ts'
import { useScheduleActions } from './use-schedule-actions.ts'
import type { Schedule } from './use-schedule-actions.ts'
import { formatDateTime } from './when-draft.ts'
import styles from './schedules.module.css'

interface ScheduleTableProps {
  schedules: readonly Schedule[]
  openId: string | undefined
  onOpen: (id: string) => void
  mayManage: boolean
}

export function ScheduleTable({ schedules, openId, onOpen, mayManage }: ScheduleTableProps) {
  return (
    <ListTable label="Schedules" head={['Name', 'When', 'Next run', 'Last run', 'State', '']}>
      {schedules.map((schedule) => (
        <tr key={schedule.id} data-is-open={schedule.id === openId || undefined}>
          <Cell kind="name">
            <span className={styles.name}>
              <button
                type="button"
                className={styles.open}
                dir="auto"
                onClick={() => onOpen(schedule.id)}
              >
                {schedule.name}
              </button>
              <code className={styles.dim}>{schedule.tool}</code>
              {schedule.note !== undefined && (
                <span className={styles.dim} dir="auto">
                  {schedule.note}
                </span>
              )}
            </span>
          </Cell>
          <Cell label="When">
            <span className={styles.two}>
              {describeSchedule(schedule.when)}
              {'timezone' in schedule.when && (
                <span className={styles.dim}>{schedule.when.timezone}</span>
              )}
            </span>
          </Cell>
          <Cell label="Next run">{schedule.nextRunAt && <Moment at={schedule.nextRunAt} />}</Cell>
          <Cell label="Last run">
            <LastRun schedule={schedule} />
          </Cell>
          <Cell label="State">
            <ScheduleState schedule={schedule} />
          </Cell>
          <Cell kind="menu">{mayManage && <RowMenu schedule={schedule} />}</Cell>
        </tr>
      ))}
    </ListTable>
  )
}

/** A time, relative and absolute. */
export function Moment({ at }: { at: string }) {
  return (
    <span className={styles.two}>
      <TimeAgo at={at} />
      <span className={styles.moment}>{formatDateTime(at)}</span>
    </span>
  )
}

function LastRun({ schedule: { lastRunAt, failures, state } }: { schedule: Schedule }) {
  if (lastRunAt === undefined) return <span className={styles.dim}>No runs yet</span>
  return (
    <span className={styles.two}>
      <TimeAgo at={lastRunAt} />
      {/* A disabled schedule shows its failures in its state. */}
      {failures > 0 && state !== 'disabled' && (
        <span>
          <Tag tone="deny">{failures === 1 ? 'Failed' : `Failed ${failures} times in a row`}</Tag>
        </span>
      )}
    </span>
  )
}

const looks: Record<Schedule['state'], readonly [Tone, string]> = {
  active: ['allow', 'Active'],
  paused: ['plain', 'Paused'],
  disabled: ['deny', 'Disabled'],
  finished: ['plain', 'Finished'],
}

export function ScheduleState({ schedule: { state, reason } }: { schedule: Schedule }) {
  const [tone, label] = looks[state]
  return (
    <span className={styles.name}>
      <Tag tone={tone}>{label}</Tag>
      {reason !== undefined && (
        <span className={styles.dim} dir="auto">
          {reason}
        </span>
      )}
    </span>
  )
}

function RowMenu({ schedule }: { schedule: Schedule }) {
  const { run, pause, remove } = useScheduleActions(schedule)
  const isActive = schedule.state === 'active'
  return (
    <RowActions
      name={schedule.name}
      width={180}
      actions={[
        { label: 'Run now', icon: IconPlayerTrackNext, onClick: () => run.mutate() },
        schedule.state !== 'finished' && {
          label: isActive ? 'Pause' : 'Resume',
          icon: isActive ? IconPlayerPause : IconPlayerPlay,
          onClick: () => pause.mutate(isActive),
        },
        { label: 'Delete', icon: IconTrash, isDangerous: true, onClick: () => void remove() },
      ]}
    />
  )
}
