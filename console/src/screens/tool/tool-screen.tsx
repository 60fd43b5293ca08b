import { useQuery } from '@tanstack/react-query'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'
import type { JsonValue } from '../../api/json.ts'
import { toProblem } from '../../api/problem.ts'
import { Page, Panel } from '../../ui/page.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Loading, LoadingFields, LoadingTabs } from '../../ui/loading.tsx'
import { bringOntoPage, isOnPage } from './shown-call.ts'
import { ToolBadges, ToolFacts } from './tool-head.tsx'
import { ToolPage } from './tool-page.tsx'
import styles from './tool.module.css'

const NoTool = lazyPart(async () => (await import('./no-tool.tsx')).NoTool)

/** One tool: its form, and everything about it. */
export function ToolScreen() {
  const { name } = useParams({ from: '/tools/$name' })
  const query = useQuery({
    queryKey: ['tool', name],
    queryFn: () => read(api.GET('/api/v1/tools/{name}', { params: { path: { name } } })),
  })
  const tool = query.data
  if (tool !== undefined) {
    const isGone = query.isError && toProblem(query.error).status === 404
    return <FilledTool key={tool.name} tool={tool} isGone={isGone} />
  }
  return (
    <Page title={name} description={<Link to="/tools">All tools</Link>}>
      {query.isError ? (
        <Suspense fallback={<LoadingTool />}>
          <NoTool name={name} error={query.error} retry={() => void query.refetch()} />
        </Suspense>
      ) : (
        <LoadingTool />
      )}
    </Page>
  )
}

function LoadingTool() {
  return (
    <div className={styles.columns}>
      <Panel>
        <LoadingFields fields={6} />
      </Panel>
      <div>
        <LoadingTabs tabs={5} />
        <Loading rows={3} height={52} />
      </div>
    </div>
  )
}

interface FilledToolProps {
  tool: Api<'ToolDetail'>
  isGone: boolean
}

/** Loads what the address names: a call with its input, an input alone, or an example. */
function FilledTool({ tool, isGone }: FilledToolProps) {
  const { call, from, example } = useSearch({ from: '/tools/$name' })
  // Only the initial address counts here; the page follows later changes.
  const [first] = useState({ call, from, example })
  const [isThere] = useState(() => isOnPage(tool.name, first))
  const earlier = useQuery({
    queryKey: ['tool-opens-with', tool.name, first],
    queryFn: () => bringOntoPage(tool.name, first),
    enabled: !isThere,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
  const isReady = isThere || !earlier.isPending
  if (!isReady) {
    return (
      <Page
        title={tool.title}
        badges={<ToolBadges tool={tool} />}
        description={<ToolFacts tool={tool} />}
      >
        <LoadingTool />
      </Page>
    )
  }
  return (
    <ToolPage
      tool={tool}
      isGone={isGone}
      initial={earlier.data?.input ?? toExample(tool, first.example)}
      missing={earlier.isError ? (first.call ?? first.from) : undefined}
    />
  )
}

function toExample({ examples }: Api<'ToolDetail'>, index: string | undefined) {
  return examples[Number(index)]?.input as JsonValue | undefined
}
