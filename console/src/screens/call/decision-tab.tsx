import { useQuery } from '@tanstack/react-query'
import { IconCheck, IconMinus, IconX } from '@tabler/icons-react'
import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'
import { toProblem } from '../../api/problem.ts'
import { DecisionTag } from '../../ui/status-tags.tsx'
import { Panel } from '../../ui/page.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Empty, Failed } from '../../ui/states.tsx'
import { askNames, layerTitle } from '../../ui/decision/layer-names.ts'
import styles from './decision-tab.module.css'

/** Why the call was allowed, needed approval or was denied; and what the decision would be now. */
export function DecisionTab({ call }: { call: Api<'CallRecord'> }) {
  const query = useQuery({
    queryKey: ['explain', 'past', call.callId, call.status],
    queryFn: () => read(api.GET('/api/v1/explain/{id}', { params: { path: { id: call.callId } } })),
  })
  if (query.data !== undefined) return <Decision past={query.data} />
  if (query.isError && toProblem(query.error).status === 404) return <OwnWords call={call} />
  if (query.isError) return <Failed error={query.error} retry={() => void query.refetch()} />
  return <Loading rows={4} />
}

/** Shown without policy.read: only the decision recorded with the call. */
function OwnWords({ call }: { call: Api<'CallRecord'> }) {
  const { decision } = call
  if (decision === undefined) {
    return (
      <Empty title="No decision was recorded with this call">
        People with the permission policy.read see more here.
      </Empty>
    )
  }
  return (
    <Panel>
      <p className={styles.then}>
        <DecisionTag decision={decision.verdict} /> <span dir="auto">{decision.rule}</span>
      </p>
      <Reasons reasons={decision.reasons.filter((reason) => reason !== decision.rule)} />
      <p className={styles.note}>
        People with the permission policy.read see the layers behind it.
      </p>
    </Panel>
  )
}

function Decision({ past }: { past: Api<'PastDecision'> }) {
  const { decided, now, difference } = past
  return (
    <div className={styles.both}>
      <Panel title="Decision at the time">
        <p className={styles.then}>
          <DecisionTag decision={decided.verdict} /> <span dir="auto">{decided.rule}</span>
        </p>
        <Reasons reasons={decided.reasons.filter((reason) => reason !== decided.rule)} />
        <p className={styles.note} dir="auto">
          {difference}
        </p>
      </Panel>
      {now !== undefined && (
        <Panel
          title="Decision now"
          description="Layers are checked in order. The first one that stops decides."
          actions={<DecisionTag decision={now.visible ? now.verdict : 'hidden'} />}
        >
          <Layers explanation={now} />
        </Panel>
      )}
    </div>
  )
}

function Reasons({ reasons }: { reasons: readonly string[] }) {
  if (reasons.length === 0) return null
  return (
    <ul className={styles.reasons}>
      {reasons.map((reason) => (
        <li key={reason} dir="auto">
          {reason}
        </li>
      ))}
    </ul>
  )
}

function Layers({ explanation }: { explanation: Api<'Explanation'> }) {
  const stop = explanation.layers.findIndex(({ passes }) => !passes)
  return (
    <ol className={styles.layers}>
      {explanation.layers.map(({ layer, passes, reason, fix }, index) => {
        const isReached = stop < 0 || index <= stop
        const state = !isReached ? 'unreached' : passes ? 'passes' : 'stops'
        return (
          <li key={layer} data-state={state}>
            <Mark state={state} />
            <div>
              <b>{layerTitle(layer)}</b>{' '}
              <span>
                — {state === 'stops' ? 'stops here' : isReached ? 'passes' : 'not reached'}
              </span>
              {isReached && <p dir="auto">{reason}</p>}
              {state === 'stops' && fix !== undefined && <p dir="auto">{fix}</p>}
            </div>
          </li>
        )
      })}
      {explanation.asks?.map(({ layer, reason, fix }) => (
        <li key={`${layer}${reason}`} data-state="asks">
          <Mark state="asks" />
          <div>
            <b>{askNames[layer]}</b> <span>— asks for approval</span>
            <p dir="auto">{reason}</p>
            {fix !== undefined && <p dir="auto">{fix}</p>}
          </div>
        </li>
      ))}
    </ol>
  )
}

function Mark({ state }: { state: string }) {
  const Icon = { passes: IconCheck, stops: IconX, asks: IconMinus }[state] ?? IconMinus
  return (
    <span className={styles.mark}>
      <Icon size={13} stroke={2} aria-hidden="true" />
    </span>
  )
}
