import { Link } from '@tanstack/react-router'
import { Panel } from '../../ui/page.tsx'
import { formatDuration } from '../../ui/time.tsx'
import { sumPhases } from './trace.ts'
import type { Phase, Trace, TraceRow } from './trace.ts'
import styles from './trace-panel.module.css'

const words: Readonly<Record<Phase, string>> = {
  queued: 'in the queue',
  running: 'running',
  waiting: 'waiting',
}

interface TracePanelProps {
  trace: Trace
  /** There are more nested calls than are shown. */
  isCut: boolean
}

/** The call and all nested calls on one timeline. */
export function TracePanel({ trace, isCut }: TracePanelProps) {
  const phases = (['queued', 'running', 'waiting'] as const).filter((phase) =>
    trace.rows.some(({ segments }) => segments.some((one) => one.phase === phase)),
  )
  return (
    <Panel
      title="Trace"
      actions={
        <span className={styles.legend}>
          {phases.map((phase) => (
            <span key={phase}>
              <i data-phase={phase} aria-hidden="true" /> {words[phase]}
            </span>
          ))}
        </span>
      }
    >
      <ul className={styles.trace} aria-label="Trace">
        {trace.rows.map((row) => (
          <Row key={row.call.callId} row={row} trace={trace} />
        ))}
      </ul>
      {isCut && <p className={styles.cut}>Only the newest 200 nested calls are shown.</p>}
    </Panel>
  )
}

function Row({ row, trace }: { row: TraceRow; trace: Trace }) {
  const { call, depth, segments, tookMs } = row
  const span = trace.toMs - trace.fromMs
  const said = Object.entries(sumPhases(segments))
    .map(([phase, ms]) => `${formatDuration(ms)} ${words[phase as Phase]}`)
    .join(', ')
  const isBad = call.status === 'failed' || call.status === 'denied'
  return (
    <li className={styles.row} data-depth={depth}>
      <span className={styles.name} style={{ paddingLeft: Math.min(depth, 6) * 14 }}>
        {depth === 0 ? (
          <b>{call.tool}</b>
        ) : (
          <Link to="/calls/$id" params={{ id: call.callId }}>
            {call.tool}
          </Link>
        )}
      </span>
      <span className={styles.line} title={said}>
        {segments.map(({ phase, fromMs, toMs }) => (
          <i
            key={fromMs}
            data-phase={phase}
            data-bad={(isBad && phase === 'running') || undefined}
            style={{
              left: `${((fromMs - trace.fromMs) / span) * 100}%`,
              width: `max(2px, ${((toMs - fromMs) / span) * 100}%)`,
            }}
          />
        ))}
        <span className="visually-hidden">
          {said}
          {isBad && `, ${call.status}`}
        </span>
      </span>
      <span className={styles.took}>{formatDuration(tookMs)}</span>
    </li>
  )
}
