import { Button } from '@mantine/core'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { IconArrowUp } from '@tabler/icons-react'
import { useRef } from 'react'
import { useCan } from '../../api/me.ts'
import { Page } from '../../ui/page.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Empty, Failed } from '../../ui/states.tsx'
import { VirtualTable } from '../../ui/list/virtual-table.tsx'
import type { CallFilter } from './call-filter.ts'
import { CallFilters } from './call-filters.tsx'
import { CallPanel } from './call-panel.tsx'
import { useCallColumns } from './call-columns.tsx'
import { useCallList } from './use-call-list.ts'
import { formatNumber } from '../../ui/format/locale.ts'

/** All calls, live: who used which tool, and how it ended. */
export function CallsScreen() {
  const { open, ...filter } = useSearch({ from: '/calls' })
  const navigate = useNavigate({ from: '/calls' })
  const seesAll = useCan('audit.read')
  return (
    <Page
      title="Calls"
      description={
        seesAll
          ? 'Every use of a tool, by people and agents, as it happens.'
          : 'Your own calls, as they happen. With the permission audit.read you see everyone’s.'
      }
    >
      <CallFilters
        filter={filter}
        onChange={(next) => void navigate({ search: withoutEmpty(next) })}
      />
      <CallTable
        key={JSON.stringify(filter)}
        filter={filter}
        openId={open}
        onOpen={(id) => void navigate({ search: { ...filter, open: id } })}
        onClear={() => void navigate({ search: {} })}
      />
      <CallPanel callId={open} onClose={() => void navigate({ search: filter })} />
    </Page>
  )
}

interface CallTableProps {
  filter: CallFilter
  openId: string | undefined
  onOpen: (callId: string) => void
  onClear: () => void
}

function CallTable({ filter, openId, onOpen, onClear }: CallTableProps) {
  const list = useCallList(filter)
  const columns = useCallColumns()
  const frame = useRef<HTMLDivElement>(null)
  const { pages, rows, newCount } = list
  if (pages.data === undefined) {
    if (!pages.isError) return <Loading rows={10} />
    return <Failed error={pages.error} retry={() => void pages.refetch()} />
  }
  const hasMore = pages.hasNextPage
  if (rows.length === 0 && !hasMore) return <NoCalls filter={filter} onClear={onClear} />
  return (
    <div ref={frame}>
      <VirtualTable
        label="Calls, newest first"
        rows={rows}
        columns={columns}
        keyOf={({ callId }) => callId}
        hasMore={hasMore}
        onMore={() => !pages.isFetching && void pages.fetchNextPage()}
        foot={describeFoot(rows.length, pages)}
        onOpen={({ callId }, { isElsewhere }) =>
          isElsewhere ? window.open(`/calls/${callId}`, '_blank') : onOpen(callId)
        }
        onTop={(isAtTop) => list.atTop(isAtTop)}
        {...(openId !== undefined && { openKey: openId })}
        {...(newCount !== undefined && {
          notice: (
            <Button
              size="compact-sm"
              leftSection={<IconArrowUp size={14} />}
              onClick={() => {
                list.showNew()
                frame.current?.querySelector('[role="grid"]')?.scrollTo({ top: 0 })
              }}
            >
              {newCount} new
            </Button>
          ),
        })}
      />
    </div>
  )
}

function describeFoot(count: number, pages: { hasNextPage: boolean; isError: boolean }): string {
  const loaded = `${formatNumber(count)} ${count === 1 ? 'call' : 'calls'}`
  if (pages.isError) return `${loaded} loaded; the next page failed to load. Scroll to try again.`
  return pages.hasNextPage ? `${loaded} loaded, more as you scroll` : loaded
}

function NoCalls({ filter, onClear }: { filter: CallFilter; onClear: () => void }) {
  const mayCall = useCan('tools.call')
  if (Object.keys(filter).length > 0) {
    return (
      <Empty
        title="No calls found"
        actions={
          <Button variant="default" onClick={onClear}>
            Clear filters
          </Button>
        }
      >
        Matching calls appear here as they happen.
      </Empty>
    )
  }
  return (
    <Empty
      title="No calls yet"
      actions={
        mayCall && (
          <Button component={Link} to="/tools">
            Run a tool
          </Button>
        )
      }
    >
      Calls appear here as people and agents use tools.
    </Empty>
  )
}

function withoutEmpty(filter: CallFilter): CallFilter {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined))
}
