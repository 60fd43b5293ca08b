import { useQuery } from '@tanstack/react-query'
import { IconCheck, IconMinus, IconX } from '@tabler/icons-react'
import { memo } from 'react'
import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'
import { DecisionTag } from '../../ui/meaning.tsx'
import { Panel } from '../../ui/page.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { MendLink } from '../tools/tool-needs.tsx'
import styles from './access-tab.module.css'

type Layer = Api<'Explanation'>['layers'][number]
type Asked = NonNullable<Api<'Explanation'>['asks']>[number]

/** What is decided when whoever looks calls this tool, layer by layer. */
export const AccessTab = memo(function AccessTab({ tool }: { tool: Api<'ToolDetail'> }) {
  const query = useQuery({
    queryKey: ['explain', 'mine', tool.name],
    queryFn: () => read(api.GET('/api/v1/explain', { params: { query: { tool: tool.name } } })),
  })
  return (
    <QueryView query={query}>
      {({ items: [explanation] }) => explanation && <Trace tool={tool} explanation={explanation} />}
    </QueryView>
  )
})

interface TraceProps {
  tool: Api<'ToolDetail'>
  explanation: Api<'Explanation'>
}

function Trace({ tool, explanation }: TraceProps) {
  const { layers, asks = [], visible, verdict } = explanation
  const stop = layers.findIndex(({ passes }) => !passes)
  return (
    <Panel
      title={visible ? titles[verdict] : 'You can’t call it now'}
      description="Layers are checked in order; the first that stops decides."
      actions={<DecisionTag decision={visible ? verdict : 'hidden'} />}
      isFlush
    >
      <ol className={styles.layers}>
        {layers.map((layer, index) => (
          <LayerRow key={layer.layer} layer={layer} isReached={stop === -1 || index <= stop} />
        ))}
        {asks.map((ask) => (
          <AskRow key={ask.layer + ask.reason} ask={ask} />
        ))}
      </ol>
      {!visible && (
        <div className={styles.mend}>
          <MendLink tool={tool} />
        </div>
      )}
    </Panel>
  )
}

const titles = {
  allow: 'You may call it',
  ask: 'You may call it, and a person is asked first',
  deny: 'You may not call it',
}

function LayerRow({ layer, isReached }: { layer: Layer; isReached: boolean }) {
  const state = !isReached ? 'skipped' : layer.passes ? 'passes' : 'stops'
  const words = { passes: 'passes', stops: 'stops here', skipped: 'not reached' }[state]
  return (
    <li className={styles.layer} data-state={state}>
      <span className={styles.mark} aria-hidden="true">
        {state === 'passes' && <IconCheck size={12} />}
        {state === 'stops' && <IconX size={12} />}
        {state === 'skipped' && <IconMinus size={12} />}
      </span>
      <div>
        <b>{layerTitles[layer.layer]}</b> <span className={styles.words}>— {words}</span>
        {isReached && <p dir="auto">{layer.reason}</p>}
        {isReached && !layer.passes && <Way {...layer} />}
      </div>
    </li>
  )
}

function AskRow({ ask }: { ask: Asked }) {
  return (
    <li className={styles.layer} data-state="asks">
      <span className={styles.mark} aria-hidden="true">
        ?
      </span>
      <div>
        <b>{askTitles[ask.layer]}</b> <span className={styles.words}>— asks a person</span>
        <p dir="auto">{ask.reason}</p>
        <Way {...ask} />
      </div>
    </li>
  )
}

function Way({ setBy, fix }: Pick<Layer, 'setBy' | 'fix'>) {
  return (
    <>
      {setBy !== undefined && <p dir="auto">Set by {setBy}</p>}
      {fix !== undefined && <p dir="auto">{fix}</p>}
    </>
  )
}

const layerTitles: Record<Layer['layer'], string> = {
  runtime: 'Runtime',
  tenant: 'Tenant',
  catalogue: 'Pack is on',
  grants: 'Granted',
  flags: 'Switches',
  policy: 'Policy',
  permission: 'Permission',
  needs: 'Secrets and settings',
  health: 'Health',
}

const askTitles: Record<Asked['layer'], string> = {
  approval: 'The tool itself',
  hooks: 'A hook',
  autonomy: 'The agent’s autonomy',
  settings: 'The agent’s settings',
  'data-flow': 'What the session has seen',
}
