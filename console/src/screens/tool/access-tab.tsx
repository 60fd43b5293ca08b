import { useQuery } from '@tanstack/react-query'
import { memo } from 'react'
import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'
import { DecisionTrace } from '../../ui/decision/decision-trace.tsx'
import { DecisionTag } from '../../ui/status-tags.tsx'
import { Panel } from '../../ui/page.tsx'
import { QueryView } from '../../ui/query-view.tsx'

/** The decision for your own call of this tool, layer by layer. */
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
  return (
    <Panel
      title={visible ? titles[verdict] : 'You can’t run this tool now'}
      description="Layers are checked in order. The first one that stops decides."
      actions={<DecisionTag decision={visible ? verdict : 'hidden'} />}
    >
      <DecisionTrace tool={tool.name} layers={layers} asks={asks} />
    </Panel>
  )
}

const titles = {
  allow: 'You can run this tool',
  ask: 'You can run this tool after approval',
  deny: 'You can’t run this tool',
}
