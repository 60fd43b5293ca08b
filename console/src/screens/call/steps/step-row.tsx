import { Button, Progress } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { IconPlayerTrackNext } from '@tabler/icons-react'
import type { Api } from '../../../api/client.ts'
import { Tag } from '../../../ui/tag.tsx'
import type { Tone } from '../../../ui/tag.tsx'
import { formatDuration, useNow } from '../../../ui/time.tsx'
import type { GraphRow } from './step-graph.ts'
import { StepLines } from './step-lines.tsx'
import styles from './steps-panel.module.css'

type Step = Api<'CallStep'>

const looks: Readonly<Record<Step['state'], { tone: Tone; label: string; isBusy?: boolean }>> = {
  pending: { tone: 'plain', label: 'Not started' },
  running: { tone: 'iris', label: 'Running', isBusy: true },
  waiting: { tone: 'ask', label: 'Waiting' },
  asking: { tone: 'ask', label: 'Asks a person' },
  completed: { tone: 'allow', label: 'Done' },
  failed: { tone: 'deny', label: 'Failed' },
  cancelled: { tone: 'plain', label: 'Cancelled' },
  skipped: { tone: 'plain', label: 'Skipped' },
  unreached: { tone: 'plain', label: 'Not reached' },
}

interface StepRowProps {
  row: GraphRow<Step>
  /** The number of columns of the whole drawing. */
  width: number
  /** Absent where the call cannot run again. */
  onRerun?: () => void
}

/** One step: its lines, its call, its state, and how long it took. */
export function StepRow({ row, width, onRerun }: StepRowProps) {
  const { step } = row
  const { tone, label, isBusy = false } = looks[step.state]
  return (
    <li className={styles.step} data-state={step.state}>
      <StepLines row={row} width={width} />
      <div className={styles.words}>
        <span className={styles.name}>
          <StepName step={step} />
          {step.isConditional && <span className={styles.dim}>if its condition holds</span>}
        </span>
        <code className={styles.tool}>{step.tool ?? 'hidden tool'}</code>
        {step.isList && <Items step={step} />}
      </div>
      <span className={styles.state}>
        <Tag tone={tone} isBusy={isBusy}>
          {label}
        </Tag>
        {step.isKept && <Tag title="The result of the call that this one runs again">Kept</Tag>}
      </span>
      <span className={styles.took}>
        <Took step={step} />
      </span>
      {onRerun !== undefined && (
        <Button
          className={styles.again ?? ''}
          variant="subtle"
          size="compact-xs"
          leftSection={<IconPlayerTrackNext size={14} stroke={1.6} />}
          aria-label={`Run again from here: ${step.id}`}
          onClick={onRerun}
        >
          Run again from here
        </Button>
      )}
    </li>
  )
}

function StepName({ step: { id, callId } }: { step: Step }) {
  if (callId === undefined) return <b>{id}</b>
  return (
    <Link to="/calls/$id" params={{ id: callId }}>
      {id}
    </Link>
  )
}

/** How many items of a list have ended. */
function Items({ step: { id, done, failed, total } }: { step: Step }) {
  if (total === undefined) return <span className={styles.dim}>for each item of a list</span>
  const share = total === 0 ? 100 : (done / total) * 100
  return (
    <span className={styles.items}>
      <Progress value={share} size={4} aria-label={`Items of ${id}`} transitionDuration={120} />
      <span>
        {done} of {total}
        {failed > 0 && <span className={styles.bad}>, {failed} failed</span>}
      </span>
    </span>
  )
}

function Took({ step: { requestedAt, settledAt } }: { step: Step }) {
  const now = useNow()
  if (requestedAt === undefined) return null
  const end = settledAt === undefined ? now : Date.parse(settledAt)
  return formatDuration(Math.max(0, end - Date.parse(requestedAt)))
}
