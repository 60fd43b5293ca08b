import { useQuery } from '@tanstack/react-query'
import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'
import { useCan } from '../../api/me.ts'
import { toProblem } from '../../api/problem.ts'
import { DecisionTrace } from '../../ui/decision/decision-trace.tsx'
import { LinkButton } from '../../ui/link-button.tsx'
import { Loading } from '../../ui/loading.tsx'
import { DecisionTag } from '../../ui/status-tags.tsx'
import { Panel } from '../../ui/page.tsx'
import { Empty, Failed } from '../../ui/states.tsx'

interface NoToolProps {
  name: string
  error: unknown
  retry: () => void
}

/** Shown instead of a tool that could not be loaded; with policy.read, names the layer that hides it. */
export function NoTool({ name, error, retry }: NoToolProps) {
  const mayExplain = useCan('policy.read')
  if (toProblem(error).status !== 404) return <Failed error={error} retry={retry} />
  return mayExplain ? <Explained name={name} /> : <NotFound>{notTold}</NotFound>
}

const notTold =
  'It may have been renamed or removed, or you may not have access to it. Ask an administrator.'

function Explained({ name }: { name: string }) {
  const query = useQuery({
    queryKey: ['explain', 'mine', name],
    queryFn: () => read(api.GET('/api/v1/explain', { params: { query: { tool: name } } })),
    retry: false,
  })
  if (query.isPending) return <Loading rows={9} height={40} />
  const hidden = query.data?.items.find(({ visible }) => !visible)
  if (hidden !== undefined) return <Hidden explanation={hidden} />
  if (query.isError && toProblem(query.error).status !== 404) {
    return <Failed error={query.error} retry={() => void query.refetch()} />
  }
  return <NotFound>No tool has this name. It may have been renamed or removed.</NotFound>
}

function Hidden({ explanation }: { explanation: Api<'Explanation'> }) {
  const { tool, layers, asks = [] } = explanation
  return (
    <Panel
      title="This tool is hidden from you"
      description="Layers are checked in order. The first one that stops decides."
      actions={<DecisionTag decision="hidden" />}
    >
      <DecisionTrace tool={tool} layers={layers} asks={asks} />
    </Panel>
  )
}

function NotFound({ children }: { children: string }) {
  return (
    <Empty
      title="Tool not found"
      actions={
        <LinkButton to="/tools" variant="default">
          All tools
        </LinkButton>
      }
    >
      {children}
    </Empty>
  )
}
