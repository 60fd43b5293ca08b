import { ActionIcon, Menu } from '@mantine/core'
import {
  IconDots,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlayerTrackNext,
  IconTrash,
} from '@tabler/icons-react'
import { Cell, ListTable } from '../../ui/list/list-table.tsx'
import { Tag } from '../../ui/tag.tsx'
import type { Tone } from '../../ui/tag.tsx'
import { TimeAgo } from '../../ui/time.tsx'
import { sayWhen } from './say-when.ts'
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
            </span>
          </Cell>
          <Cell label="When">
            <span className={styles.two}>
              {sayWhen(schedule.when)}
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

/** When it is, from now and by the clock on the wall. */
export function Moment({ at }: { at: string }) {
  return (
    <span className={styles.two}>
      <TimeAgo at={at} />
      <span className={styles.moment}>{formatDateTime(at)}</span>
    </span>
  )
}

function LastRun({ schedule: { lastRunAt, failures, state } }: { schedule: Schedule }) {
  if (lastRunAt === undefined) return <span className={styles.dim}>Not due yet</span>
  return (
    <span className={styles.two}>
      <TimeAgo at={lastRunAt} />
      {/* What was switched off says so itself. */}
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
  disabled: ['deny', 'Switched off'],
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
    <Menu position="bottom-end" shadow="md" width={180}>
      <Menu.Target>
        <ActionIcon aria-label={`Actions for ${schedule.name}`}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconPlayerTrackNext size={16} stroke={1.6} />}
          onClick={() => run.mutate()}
        >
          Run now
        </Menu.Item>
        {schedule.state !== 'finished' && (
          <Menu.Item
            leftSection={
              isActive ? (
                <IconPlayerPause size={16} stroke={1.6} />
              ) : (
                <IconPlayerPlay size={16} stroke={1.6} />
              )
            }
            onClick={() => pause.mutate(isActive)}
          >
            {isActive ? 'Pause' : 'Resume'}
          </Menu.Item>
        )}
        <Menu.Item
          color="red"
          leftSection={<IconTrash size={16} stroke={1.6} />}
          onClick={() => void remove()}
        >
          Delete
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
