import { Button } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { IconArrowUp } from '@tabler/icons-react'
import { useRef } from 'react'
import { useCan } from '../../api/me.ts'
import { Page } from '../../ui/page.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Empty, Failed, NotAllowed } from '../../ui/states.tsx'
import { VirtualTable } from '../../ui/list/virtual-table.tsx'
import { useAuditColumns } from './audit-columns.tsx'
import type { AuditFilter } from './audit-filter.ts'
import { AuditFilters } from './audit-filters.tsx'
import { AuditPanel } from './audit-panel.tsx'
import { ExportButton } from './export-button.tsx'
import { useAuditList } from './use-audit-list.ts'
import { VerifyButton } from './verify-button.tsx'
import { formatNumber } from '../../ui/format/locale.ts'

/** The audit log: who did what, when, and to what. */
export function AuditScreen() {
  const { id, ...filter } = useSearch({ from: '/audit' })
  const navigate = useNavigate({ from: '/audit' })
  const mayRead = useCan('audit.read')
  return (
    <Page
      title="Audit log"
      description="Who did what, and when. The log is tamper-evident. Output while calls run is hidden unless you filter for it."
      actions={
        mayRead && (
          <>
            <VerifyButton />
            <ExportButton filter={filter} />
          </>
        )
      }
    >
      {mayRead ? (
        <>
          <AuditFilters
            filter={filter}
            onChange={(next) => void navigate({ search: withoutEmpty(next), replace: true })}
          />
          <AuditTable
            key={JSON.stringify(filter)}
            filter={filter}
            openId={id}
            onOpen={(next) => void navigate({ search: { ...filter, id: next } })}
            onClose={() => void navigate({ search: filter })}
            onClear={() => void navigate({ search: {} })}
          />
        </>
      ) : (
        <NotAllowed>You need the permission audit.read to see the log.</NotAllowed>
      )}
    </Page>
  )
}

interface AuditTableProps {
  filter: AuditFilter
  openId: string | undefined
  onOpen: (id: string) => void
  onClose: () => void
  onClear: () => void
}

function AuditTable({ filter, openId, onOpen, onClose, onClear }: AuditTableProps) {
  const list = useAuditList(filter)
  const columns = useAuditColumns()
  const frame = useRef<HTMLDivElement>(null)
  const { pages, rows, newCount } = list
  if (pages.data === undefined) {
    if (!pages.isError) return <Loading rows={10} />
    return <Failed error={pages.error} retry={() => void pages.refetch()} />
  }
  if (rows.length === 0 && !pages.hasNextPage) return <NoEvents onClear={onClear} />
  const showNew = () => {
    list.showNew()
    frame.current?.querySelector('[role="grid"]')?.scrollTo({ top: 0 })
  }
  return (
    <div ref={frame}>
      <VirtualTable
        label="Events, newest first"
        rows={rows}
        columns={columns}
        keyOf={({ id }) => id}
        hasMore={pages.hasNextPage}
        onMore={() => !pages.isFetching && void pages.fetchNextPage()}
        foot={describeFoot(rows.length, pages)}
        onOpen={({ id }) => onOpen(id)}
        onTop={(isAtTop) => list.atTop(isAtTop)}
        {...(openId !== undefined && { openKey: openId })}
        {...(newCount !== undefined && {
          notice: (
            <Button size="compact-sm" leftSection={<IconArrowUp size={14} />} onClick={showNew}>
              {newCount} new
            </Button>
          ),
        })}
      />
      <AuditPanel entry={rows.find((entry) => entry.id === openId)} onClose={onClose} />
    </div>
  )
}

function describeFoot(
  count: number,
  pages: { hasNextPage: boolean; isError: boolean; isFetchingNextPage: boolean },
): string {
  const loaded = `${formatNumber(count)} ${count === 1 ? 'event' : 'events'}`
  if (pages.isError) return `${loaded} loaded; the next page failed to load. Scroll to try again.`
  if (pages.isFetchingNextPage) return `${loaded}, loading more…`
  return pages.hasNextPage ? `${loaded} loaded, more as you scroll` : loaded
}

function NoEvents({ onClear }: { onClear: () => void }) {
  return (
    <Empty
      title="No events found"
      actions={
        <Button variant="default" onClick={onClear}>
          Clear filters
        </Button>
      }
    >
      Older events may have been removed by retention. New ones appear here as they happen.
    </Empty>
  )
}

function withoutEmpty(filter: AuditFilter): AuditFilter {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined))
}
