import { Select } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { Loading } from '../../ui/loading.tsx'
import { Empty, Failed } from '../../ui/states.tsx'
import { AllRequests } from './all-requests.tsx'
import { Request } from './request.tsx'
import { RequestList } from './request-list.tsx'
import { useApprovals, useToolsOf } from './use-approvals.ts'
import type { Approval } from './use-approvals.ts'
import styles from './approvals.module.css'

const choices = [
  { value: 'decided', label: 'All decided' },
  { value: 'approved', label: 'Approved' },
  { value: 'rejected', label: 'Rejected' },
  { value: 'expired', label: 'Expired' },
  { value: 'cancelled', label: 'Cancelled' },
]

export function isHistory(status: string | undefined): boolean {
  return choices.some(({ value }) => value === status)
}

/** Earlier requests with their decisions and results. */
export function History({ status, id }: { status: string; id: string | undefined }) {
  const navigate = useNavigate({ from: '/approvals' })
  return (
    <>
      <div className={styles.filter}>
        <Select
          aria-label="Show"
          data={choices}
          value={status}
          allowDeselect={false}
          w={200}
          onChange={(value) => void navigate({ search: { status: value ?? 'decided' } })}
        />
      </div>
      <Past status={status} id={id} />
    </>
  )
}

function Past({ status, id }: { status: string; id: string | undefined }) {
  const query = useApprovals(status === 'decided' ? undefined : (status as Approval['status']))
  const items = (query.data?.pages.flatMap((page) => page.items) ?? []).filter(
    (one) => one.status !== 'pending',
  )
  const tools = useToolsOf(items.map(({ tool }) => tool))
  if (query.isPending) return <Loading rows={4} height={64} />
  if (query.isError && items.length === 0) {
    return <Failed error={query.error} retry={() => void query.refetch()} />
  }
  if (items.length === 0 && !query.hasNextPage) {
    return <Empty title="No requests yet">Decided and expired requests appear here.</Empty>
  }
  return (
    <div className={styles.inbox} data-open={id === undefined ? undefined : true}>
      <section className={styles.list} aria-label="Requests" tabIndex={0}>
        <RequestList items={items} tools={tools} currentId={id} query={query} />
      </section>
      {id === undefined ? (
        <div className={styles.request}>
          <p className={styles.hint}>Select a request to see who decided and why.</p>
        </div>
      ) : (
        <div>
          <AllRequests status={status} />
          <Request key={id} id={id} onDecided={() => undefined} />
        </div>
      )}
    </div>
  )
}
