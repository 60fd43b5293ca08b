import { Button } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { IconSearch } from '@tabler/icons-react'
import { useCallback } from 'react'
import { useCan } from '../../api/me.ts'
import { Page, Panel } from '../../ui/page.tsx'
import { LoadingCards } from '../../ui/loading.tsx'
import { Empty, Failed, NotAllowed } from '../../ui/states.tsx'
import { AtHand } from './at-hand.tsx'
import { BrokenFiles } from './broken-files.tsx'
import { Doors } from './doors.tsx'
import { FilterBar } from './filter-bar.tsx'
import { HiddenTools } from './hidden-tools.tsx'
import { useToolCounts, useTools, useToolUsage } from './tool-filters.ts'
import type { ToolSearch } from './tool-filters.ts'
import { ToolGrid } from './tool-grid.tsx'
import styles from './tools.module.css'

/** The library: all tools you can use or fix. */
export function ToolsScreen() {
  const mayCall = useCan('tools.call')
  if (mayCall) return <Tools />
  return (
    <Page title="Tools" description="Tools that people and agents can run.">
      <NotAllowed>You need the permission tools.call to see tools.</NotAllowed>
    </Page>
  )
}

function Tools() {
  const search = useSearch({ from: '/tools' })
  const navigate = useNavigate({ from: '/tools' })
  const counts = useToolCounts(search).data
  const isFiltered = Object.keys(search).length > 0
  const all = counts?.packs.reduce((sum, { tools }) => sum + tools, 0)
  const change = useCallback(
    (next: ToolSearch) =>
      void navigate({ search: (before) => ({ ...before, ...next }), replace: true }),
    [navigate],
  )
  return (
    <Page
      title="Tools"
      description={
        <>
          {describeAll(all)} <HiddenTools count={counts?.hidden ?? 0} />
        </>
      }
    >
      <BrokenFiles />
      {all === 0 && !isFiltered ? (
        <Doors />
      ) : (
        <>
          {!isFiltered && <AtHand />}
          <FilterBar
            search={search}
            packs={counts?.packs ?? []}
            onChange={change}
            shown={counts === undefined ? '' : `${counts.total} shown`}
          />
          <Library search={search} total={counts?.total ?? 0} />
        </>
      )}
    </Page>
  )
}

function describeAll(all: number | undefined): string {
  if (all === undefined) return 'Tools that people and agents can run.'
  if (all === 0) return 'There are no tools yet.'
  return `${all === 1 ? '1 tool' : `${all} tools`} that people and agents can run.`
}

function Library({ search, total }: { search: ToolSearch; total: number }) {
  const usage = useToolUsage()
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useTools(search)
  const onEnd = useCallback(() => {
    if (!isFetchingNextPage) void fetchNextPage()
  }, [isFetchingNextPage, fetchNextPage])
  if (data === undefined) {
    if (error !== null) {
      return (
        <Panel>
          <Failed error={error} retry={() => void refetch()} />
        </Panel>
      )
    }
    return <LoadingCards cards={8} height={146} className={styles.waiting} />
  }
  const tools = data.pages.flatMap(({ items }) => items)
  if (tools.length === 0) return <NoneFit />
  return (
    <ToolGrid
      tools={tools}
      total={Math.max(total, tools.length)}
      usage={usage}
      hasMore={hasNextPage}
      onEnd={onEnd}
    />
  )
}

function NoneFit() {
  const navigate = useNavigate({ from: '/tools' })
  return (
    <Panel>
      <Empty
        title="No tools found"
        icon={<IconSearch size={24} stroke={1.5} aria-hidden="true" />}
        actions={
          <Button variant="default" onClick={() => void navigate({ search: {}, replace: true })}>
            Clear filters
          </Button>
        }
      >
        Try a shorter search, or other packs and states.
      </Empty>
    </Panel>
  )
}
