import { IconCheck, IconMinus, IconQuestionMark, IconX } from '@tabler/icons-react'
import type { Api } from '../../api/client.ts'
import { nameRuleAuthor, useNames } from '../../api/use-names.ts'
import { FixAction } from './fix-action.tsx'
import { fixOf } from './fix-of.ts'
import type { Rule } from './fix-of.ts'
import { askNames, layerTitle } from './layer-names.ts'
import styles from './decision-trace.module.css'

type Explanation = Api<'Explanation'>
type Layer = Explanation['layers'][number]
type Ask = NonNullable<Explanation['asks']>[number]

interface DecisionTraceProps {
  /** The tool that is decided about, by its name here. */
  tool: string
  /** Of GET /explain: every layer in order. */
  layers: readonly Layer[]
  /** Of the same: the rules that want a person asked. */
  asks?: readonly Ask[]
}

/** Why a tool is seen or not: the layers in order, the first stop with what would change it. */
export function DecisionTrace({ tool, layers, asks = [] }: DecisionTraceProps) {
  const stop = layers.findIndex(({ passes }) => !passes)
  const reached = stop === -1 ? layers.length : stop
  return (
    <ol className={styles.trace} aria-label="Layers, in the order they are checked">
      {layers.map((layer, index) => (
        <LayerRow
          key={layer.layer}
          layer={layer}
          tool={tool}
          state={index < reached ? 'passes' : index === stop ? 'stops' : 'unreached'}
        />
      ))}
      {asks.map((ask) => (
        <AskRow key={`${ask.layer} ${ask.reason}`} ask={ask} tool={tool} />
      ))}
    </ol>
  )
}

type State = 'passes' | 'stops' | 'asks' | 'unreached'

const words: Record<State, string> = {
  passes: 'passes',
  stops: 'stops here',
  asks: 'asks for approval',
  unreached: 'not reached',
}

function LayerRow({ layer, tool, state }: { layer: Layer; tool: string; state: State }) {
  const { reason, setBy, passes } = layer
  if (state !== 'unreached') {
    return (
      <Row title={layerTitle(layer.layer)} state={state} reason={reason} setBy={setBy}>
        {state === 'stops' && <Remedy rule={layer} fix={layer.fix} tool={tool} />}
      </Row>
    )
  }
  // The next stop is shown too, or fixing the first would only uncover the second.
  const also = passes ? undefined : `would stop it too: ${reason}`
  return <Row title={layerTitle(layer.layer)} state={state} reason={also} />
}

function AskRow({ ask, tool }: { ask: Ask; tool: string }) {
  return (
    <Row title={askNames[ask.layer]} state="asks" reason={ask.reason} setBy={ask.setBy}>
      <Remedy rule={ask} fix={ask.fix} tool={tool} />
    </Row>
  )
}

interface RowProps {
  title: string
  state: State
  reason?: string
  setBy?: string
  children?: React.ReactNode
}

function Row({ title, state, reason, setBy, children }: RowProps) {
  return (
    <li className={styles.row} data-state={state}>
      <span className={styles.mark} aria-hidden="true">
        {marks[state]}
      </span>
      <div className={styles.words}>
        <p>
          <b>{title}</b> <span className={styles.state}>— {words[state]}</span>
        </p>
        {reason !== undefined && (
          <p className={styles.reason} dir="auto">
            {reason}
          </p>
        )}
        {setBy !== undefined && state !== 'passes' && (
          <p className={styles.setBy} dir="auto">
            <SetBy setBy={setBy} />
          </p>
        )}
      </div>
      {children}
    </li>
  )
}

function SetBy({ setBy }: { setBy: string }) {
  const nameOf = useNames()
  return <>Set by {nameRuleAuthor(setBy, nameOf)}</>
}

const marks: Record<State, React.ReactNode> = {
  passes: <IconCheck size={13} stroke={2} />,
  stops: <IconX size={13} stroke={2} />,
  asks: <IconQuestionMark size={13} stroke={2} />,
  unreached: <IconMinus size={13} stroke={2} />,
}

function Remedy({ rule, fix: said, tool }: { rule: Rule; fix?: string; tool: string }) {
  const fix = fixOf(rule, tool)
  if (fix === undefined && said === undefined) return null
  return (
    <div className={styles.fix}>
      {fix === undefined ? (
        <span className={styles.elsewhere} dir="auto">
          {said}
        </span>
      ) : (
        <FixAction fix={fix} tool={tool} />
      )}
    </div>
  )
}
