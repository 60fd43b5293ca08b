import { Button, Tooltip } from '@mantine/core'
import { IconChecks, IconGitCompare } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useCan } from '../../api/me.ts'
import { DiffView } from '../../output/lazy-drawings.ts'
import { toSafeLine } from '../../output/values/safe-text.ts'
import { formatBytes } from '../../ui/format/format-bytes.ts'
import { formatNumber } from '../../ui/format/locale.ts'
import { Loading } from '../../ui/loading.tsx'
import { notifyFailure, notifySuccess } from '../../ui/notify.ts'
import { QueryView } from '../../ui/query-view.tsx'
import { Empty } from '../../ui/states.tsx'
import { Tag } from '../../ui/tag.tsx'
import type { Tone } from '../../ui/tag.tsx'
import { TimeAgo } from '../../ui/time.tsx'
import { acceptChanges, changesQuery } from '../workspace-queries.ts'
import type { WorkspaceChange } from '../workspace-types.ts'
import styles from './changes.module.css'

/** The changed files of a workspace with their differences. */
export function ChangesView({ id }: { id: string }) {
  const query = useQuery(changesQuery(id))
  return (
    <QueryView query={query} loading={<Loading rows={4} height={44} />}>
      {({ items, isPartial }) =>
        items.length === 0 ? (
          <Empty
            title="No changes"
            icon={<IconGitCompare size={24} stroke={1.5} aria-hidden="true" />}
          >
            Files that the agent adds, changes or deletes appear here with their differences.
          </Empty>
        ) : (
          <>
            <div className={styles.bar}>
              <p className={styles.sum}>
                {sumUp(items)}
                {isPartial && ' There are more; download the workspace to see all.'}
              </p>
              <Accept id={id} />
            </div>
            <ul className={styles.list}>
              {items.map((item) => (
                <Change key={item.path} item={item} isOpen={areShort(items)} />
              ))}
            </ul>
          </>
        )
      }
    </QueryView>
  )
}

/** From then on, changes are shown against the files as they are. */
function Accept({ id }: { id: string }) {
  const queryClient = useQueryClient()
  const mayWrite = useCan('workspaces.write')
  const accept = useMutation({
    mutationFn: () => acceptChanges(id),
    onSuccess: () => notifySuccess('Changes accepted'),
    onError: notifyFailure,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['workspaces'] }),
  })
  if (!mayWrite) return null
  return (
    <Tooltip label="Later changes are shown against the files as they are now">
      <Button
        variant="default"
        size="xs"
        loading={accept.isPending}
        leftSection={<IconChecks size={15} stroke={1.6} />}
        onClick={() => accept.mutate()}
      >
        Accept all
      </Button>
    </Tooltip>
  )
}

const words: Record<WorkspaceChange['change'], { word: string; tone: Tone }> = {
  added: { word: 'Added', tone: 'allow' },
  changed: { word: 'Changed', tone: 'write' },
  deleted: { word: 'Deleted', tone: 'deny' },
}

function sumUp(items: readonly WorkspaceChange[]): string {
  const said = (['added', 'changed', 'deleted'] as const)
    .map((change) => ({ change, count: items.filter((item) => item.change === change).length }))
    .filter(({ count }) => count > 0)
    .map(({ change, count }) => `${formatNumber(count)} ${change}`)
  return `${said.join(', ')}.`
}

/** All differences are open if they fit on a screen or two. */
function areShort(items: readonly WorkspaceChange[]): boolean {
  const lines = items.reduce((sum, { diff = '' }) => sum + diff.split('\n').length, 0)
  return items.length <= 3 || lines <= 60
}

function Change({ item, isOpen }: { item: WorkspaceChange; isOpen: boolean }) {
  const { path, change, diff, isBinary, bytes, at } = item
  const { word, tone } = words[change]
  const why = isBinary === true ? 'The file is not text.' : 'The differences are too large to show.'
  return (
    <li>
      <details className={styles.change} open={isOpen}>
        <summary>
          <span className={styles.path} dir="auto">
            {toSafeLine(path)}
          </span>
          <Tag tone={tone}>{word}</Tag>
          <span className={styles.facts}>
            {change !== 'deleted' && `${formatBytes(bytes)} · `}
            <TimeAgo at={at} />
          </span>
        </summary>
        {diff === undefined || diff === '' ? (
          <p className={styles.sum}>{why}</p>
        ) : (
          <Suspense fallback={<Loading rows={3} height={20} />}>
            <DiffView text={diff} label={`Differences of ${toSafeLine(path)}`} isNamed />
          </Suspense>
        )}
      </details>
    </li>
  )
}
