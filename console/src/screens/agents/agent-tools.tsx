import { Button, Drawer, SegmentedControl } from '@mantine/core'
import { useDebouncedValue, useMediaQuery } from '@mantine/hooks'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { useCan } from '../../api/me.ts'
import { FilterInput } from '../../ui/list/filter-input.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { LoadMore } from '../../ui/list/load-more.tsx'
import { DecisionTag, EffectTag } from '../../ui/status-tags.tsx'
import { Loading, LoadingFacts } from '../../ui/loading.tsx'
import { Panel } from '../../ui/page.tsx'
import { Empty, Failed, NotAllowed } from '../../ui/states.tsx'
import { agentQuery, agentToolsQuery } from './parts/agent-queries.ts'
import type { AgentTool, Decision, Look } from './parts/agent-queries.ts'
import { ToolWhy } from './tool-why.tsx'
import styles from './agent.module.css'

// Loads the whole form, which only editors need.
const ToolSettingsDialog = lazyPart(async () => {
  const { ToolSettingsDialog: loaded } = await import('./tool-settings/tool-settings-dialog.tsx')
  return loaded
})

const route = getRouteApi('/agents/$slug')
const decisions = ['allow', 'ask', 'hidden'] as const

/** An agent's tools grouped by decision, with the explanation of the selected tool. */
export function AgentTools({ slug, look }: { slug: string; look: Look }) {
  const mayRead = useCan('policy.read')
  if (!mayRead)
    return <NotAllowed>You need the permission policy.read to see why tools are hidden.</NotAllowed>
  return <ToolList slug={slug} look={look} />
}

function ToolList({ slug, look }: { slug: string; look: Look }) {
  const { q = '', show, tool: chosen } = route.useSearch()
  const decision = decisions.find((one) => one === show)
  // Kept here so that it survives the explanation moving into a drawer on a narrow window.
  const [opened, setOpened] = useState<{ tool: string; title: string }>()
  const query = useTools(slug, look, { q, decision })
  if (query.data === undefined) {
    return query.isError ? (
      <Failed error={query.error} retry={() => void query.refetch()} />
    ) : (
      <div className={styles.split}>
        <Loading rows={10} height={53} />
        <Panel>
          <LoadingFacts rows={7} />
        </Panel>
      </div>
    )
  }
  const tools = query.data.pages.flatMap(({ items }) => items)
  const counts = query.data.pages[0]?.counts ?? { all: 0, allow: 0, ask: 0, hidden: 0 }
  const shown = chosen ?? mostTelling(tools)
  const title = tools.find((tool) => tool.tool === shown)?.title
  return (
    <div className={styles.split}>
      <section className={styles.list} aria-label="Tools" data-framed>
        <Filters counts={counts} decision={decision} />
        {tools.length === 0 && <NoTools isFiltered={counts.all > 0 || q !== ''} />}
        <ul className={styles.rows}>
          {tools.map((tool) => (
            <ToolRow key={tool.tool} tool={tool} isShown={tool.tool === shown} />
          ))}
        </ul>
        <LoadMore query={query} />
      </section>
      {shown !== undefined && (
        <Beside
          agent={slug}
          tool={shown}
          title={title}
          look={look}
          isCovered={opened !== undefined}
          onSettings={() => setOpened({ tool: shown, title: title ?? shown })}
        />
      )}
      {opened !== undefined && (
        <SettingsOf slug={slug} {...opened} onClose={() => setOpened(undefined)} />
      )}
    </div>
  )
}

interface SettingsOfProps {
  slug: string
  tool: string
  title: string
  onClose: () => void
}

function SettingsOf({ slug, ...props }: SettingsOfProps) {
  const { data: agent } = useQuery(agentQuery(slug))
  if (agent === undefined) return null
  return (
    <Suspense fallback={null}>
      <ToolSettingsDialog agent={agent} {...props} />
    </Suspense>
  )
}

function useTools(
  slug: string,
  look: Look,
  { q, decision }: { q: string; decision: Decision | undefined },
) {
  const [asked] = useDebouncedValue(q.trim(), 150)
  return useInfiniteQuery(
    agentToolsQuery(slug, {
      ...look,
      ...(asked !== '' && { q: asked }),
      ...(decision !== undefined && { decision }),
    }),
  )
}

/** Preselects a hidden tool: that is what people come to ask about. */
function mostTelling(tools: readonly AgentTool[]): string | undefined {
  return (tools.find(({ decision }) => decision === 'hidden') ?? tools[0])?.tool
}

type BesideProps = Parameters<typeof ToolWhy>[0] & {
  /** A dialog covers it; it is shown again when the dialog closes. */
  isCovered: boolean
}

/** Beside the list, or in a drawer on narrow screens once a tool is selected. */
function Beside({ isCovered, ...props }: BesideProps) {
  const { tool: chosen } = route.useSearch()
  const navigate = route.useNavigate()
  const isNarrow = useMediaQuery('(max-width: 68em)')
  if (!isNarrow) return <ToolWhy {...props} />
  return (
    <Drawer
      opened={chosen !== undefined && !isCovered}
      onClose={() => void navigate({ search: ({ tool: _tool, ...rest }) => rest, replace: true })}
      position="bottom"
      size="85%"
      title="Why"
    >
      <ToolWhy {...props} />
    </Drawer>
  )
}

interface FiltersProps {
  counts: Record<'all' | Decision, number>
  decision: Decision | undefined
}

function Filters({ counts, decision }: FiltersProps) {
  const { q = '' } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <div className={styles.filters}>
      <FilterInput
        label="Filter tools"
        value={q}
        onChange={(text) =>
          void navigate({
            search: ({ q: _q, tool: _tool, ...rest }) => ({
              ...rest,
              ...(text !== '' && { q: text }),
            }),
            replace: true,
          })
        }
      />
      <SegmentedControl
        aria-label="Decision"
        withItemsBorders={false}
        value={decision ?? 'all'}
        onChange={(value) =>
          void navigate({
            search: ({ show: _show, tool: _tool, ...rest }) => ({
              ...rest,
              ...(value !== 'all' && { show: value }),
            }),
            replace: true,
          })
        }
        data={[
          { value: 'all', label: `All ${counts.all}` },
          { value: 'allow', label: `Allow ${counts.allow}` },
          { value: 'ask', label: `Ask ${counts.ask}` },
          { value: 'hidden', label: `Hidden ${counts.hidden}` },
        ]}
      />
    </div>
  )
}

function ToolRow({ tool, isShown }: { tool: AgentTool; isShown: boolean }) {
  return (
    <li>
      <Link
        from="/agents/$slug"
        to="/agents/$slug"
        search={(before) => ({ ...before, tool: tool.tool })}
        replace
        resetScroll={false}
        className={styles.row}
        aria-current={isShown ? 'true' : undefined}
        // The router marks links to the current page by itself.
        activeProps={{}}
      >
        <span className={styles.toolNames}>
          <b dir="auto">{tool.title}</b>
          <code>{tool.tool}</code>
        </span>
        <span className={styles.toolTags}>
          <EffectTag effect={tool.effect} />
          <span className={styles.decision}>
            <DecisionTag decision={tool.decision} />
          </span>
        </span>
      </Link>
    </li>
  )
}

function NoTools({ isFiltered }: { isFiltered: boolean }) {
  const navigate = route.useNavigate()
  if (!isFiltered) {
    return <Empty title="No tools yet">Add tools, or connect an MCP server.</Empty>
  }
  return (
    <Empty
      title="No tools found"
      actions={
        <Button
          variant="default"
          onClick={() =>
            void navigate({ search: ({ q: _q, show: _show, tool: _tool, ...rest }) => rest })
          }
        >
          Clear filters
        </Button>
      }
    />
  )
}
