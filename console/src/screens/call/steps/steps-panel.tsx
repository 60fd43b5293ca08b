import { useState } from 'react'
import type { Api } from '../../../api/client.ts'
import { useCan } from '../../../api/me.ts'
import { Panel } from '../../../ui/page.tsx'
import { isSettled } from '../use-call.ts'
import { RerunDialog } from './rerun-dialog.tsx'
import { countColumns, layOutSteps } from './step-graph.ts'
import { StepRow } from './step-row.tsx'
import styles from './steps-panel.module.css'

interface StepsPanelProps {
  call: Api<'CallRecord'>
  steps: readonly Api<'CallStep'>[]
}

/** The steps of a composition as a graph from top to bottom, with the state of each. */
export function StepsPanel({ call, steps }: StepsPanelProps) {
  const [from, setFrom] = useState<string>()
  const mayCall = useCan('tools.call')
  const hadEffects = call.purpose === undefined && call.undoes === undefined
  const mayRerun = mayCall && hadEffects && isSettled(call.status)
  const rows = layOutSteps(steps)
  const width = countColumns(rows)
  return (
    <Panel title="Steps" actions={<span className={styles.dim}>{summarise(steps)}</span>}>
      <ol className={styles.steps} aria-label="Steps">
        {rows.map((row) => (
          <StepRow
            key={row.step.id}
            row={row}
            width={width}
            {...(mayRerun && { onRerun: () => setFrom(row.step.id) })}
          />
        ))}
      </ol>
      {from !== undefined && (
        <RerunDialog call={call} from={from} onClose={() => setFrom(undefined)} />
      )}
    </Panel>
  )
}

function summarise(steps: readonly Api<'CallStep'>[]): string {
  const ended = steps.filter(({ state }) => ['completed', 'skipped', 'failed'].includes(state))
  return `${ended.length} of ${steps.length} ended`
}
