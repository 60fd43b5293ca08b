import { ActionIcon, Button } from '@mantine/core'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'
import { Panel } from '../../ui/page.tsx'
import { confirm, notifySuccess, notifyFailure } from '../../ui/notify.ts'
import { LoadMore } from '../../ui/list/load-more.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Failed } from '../../ui/states.tsx'
import { Tag } from '../../ui/tag.tsx'
import { LimitForm } from './limit-form.tsx'
import { measuresOf, describeAllowance, describeAmount, describeSubject } from './limit-words.ts'
import styles from './usage.module.css'

/** The limits and how much of each is used; editable with the permission. */
export function LimitsPanel({ mayManage }: { mayManage: boolean }) {
  const [edited, setEdited] = useState<Api<'Limit'> | 'new'>()
  const query = useInfiniteQuery({
    queryKey: ['limits'],
    queryFn: ({ pageParam }) =>
      read(
        api.GET('/api/v1/limits', {
          params: { query: { limit: 50, ...(pageParam !== '' && { after: pageParam }) } },
        }),
      ),
    initialPageParam: '',
    getNextPageParam: (last) => last.next,
    refetchInterval: 15_000,
  })
  const limits = query.data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <Panel
      title="Limits and budgets"
      description="A call over a limit is refused, or waits in the queue."
      actions={
        mayManage && (
          <Button
            variant="default"
            leftSection={<IconPlus size={16} stroke={1.6} />}
            onClick={() => setEdited('new')}
          >
            New limit
          </Button>
        )
      }
    >
      {query.data === undefined && (
        <NotYet error={query.error} retry={() => void query.refetch()} />
      )}
      {query.isSuccess && limits.length === 0 && (
        <p className={styles.none}>No limits yet. A limit caps calls, output or cost.</p>
      )}
      <ul className={styles.limits}>
        {limits.map((limit) => (
          <LimitRow
            key={limit.name}
            limit={limit}
            mayManage={mayManage}
            onEdit={() => setEdited(limit)}
          />
        ))}
      </ul>
      <LoadMore query={query} />
      {edited !== undefined && (
        <LimitForm
          {...(edited !== 'new' && { limit: edited })}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Panel>
  )
}

function NotYet({ error, retry }: { error: Error | null; retry: () => void }) {
  return error === null ? <Loading rows={2} /> : <Failed error={error} retry={retry} />
}

interface LimitRowProps {
  limit: Api<'Limit'>
  mayManage: boolean
  onEdit: () => void
}

function LimitRow({ limit, mayManage, onEdit }: LimitRowProps) {
  const mayChange = mayManage && !limit.isDeclared
  return (
    <li className={styles.limit}>
      <div className={styles.limitHead}>
        <div>
          <b dir="auto">{limit.name}</b>{' '}
          <span className={styles.aside}>
            {describeSubject(limit)}:{' '}
            {measuresOf(limit)
              .map((measure) => describeAllowance(limit[measure] ?? 0, measure))
              .join(', ')}
          </span>
        </div>
        <span className={styles.limitActions}>
          {limit.isDeclared && <Tag title="Change it in the configuration">From config</Tag>}
          {mayChange && (
            <>
              <ActionIcon onClick={onEdit} aria-label={`Edit limit ${limit.name}`}>
                <IconPencil size={16} stroke={1.6} />
              </ActionIcon>
              <RemoveButton name={limit.name} />
            </>
          )}
        </span>
      </div>
      {limit.closed !== undefined && <p className={styles.closed}>{limit.closed}</p>}
      <LimitUse limit={limit} />
    </li>
  )
}

/** The three largest users of a limit, with a bar per measure. */
function LimitUse({ limit }: { limit: Api<'Limit'> }) {
  const used = limit.use.flatMap(({ subject, used: amounts }) =>
    measuresOf(limit).map((measure) => ({
      key: `${subject} ${measure}`,
      subject,
      measure,
      amount: amounts[measure] ?? 0,
      most: limit[measure] ?? 0,
    })),
  )
  if (used.length === 0) return <p className={styles.none}>Nothing used yet.</p>
  return (
    <ul className={styles.use}>
      {used.map(({ key, subject, measure, amount, most }) => {
        const share = most === 0 ? 1 : amount / most
        return (
          <li key={key}>
            <span dir="auto">{subject}</span>
            <span className={styles.bar} aria-hidden="true">
              <i
                data-state={share >= 1 ? 'full' : share >= 0.8 ? 'near' : undefined}
                style={{ width: `${Math.min(100, Math.max(1, share * 100))}%` }}
              />
            </span>
            <span className={styles.amount}>
              {describeAmount(amount, measure)} of {describeAllowance(most, measure)}
              {share >= 1 && ' · limit reached'}
            </span>
          </li>
        )
      })}
    </ul>
  )
}

function RemoveButton({ name }: { name: string }) {
  const queryClient = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: () => read(api.DELETE('/api/v1/limits/{name}', { params: { path: { name } } })),
    onSuccess: () => {
      notifySuccess(`Limit ${name} removed`)
      void queryClient.invalidateQueries({ queryKey: ['limits'] })
    },
    onError: notifyFailure,
  })
  const remove = async () => {
    const isSure = await confirm({
      title: `Remove limit ${name}?`,
      message: 'The limit is lifted on all servers within a second.',
      confirmLabel: 'Remove',
      isDangerous: true,
    })
    if (isSure) mutate()
  }
  return (
    <ActionIcon
      loading={isPending}
      onClick={() => void remove()}
      aria-label={`Remove limit ${name}`}
    >
      <IconTrash size={16} stroke={1.6} />
    </ActionIcon>
  )
}
