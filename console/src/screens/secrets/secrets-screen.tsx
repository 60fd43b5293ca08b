import { Button, TextInput } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { IconKey, IconPlus, IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { api, read } from '../../api/client.ts'
import { useCan } from '../../api/me.ts'
import { Page, Panel } from '../../ui/page.tsx'
import { Empty, Failed, Loading, NotAllowed } from '../../ui/states.tsx'
import { KeyringPanel } from './keyring-panel.tsx'
import { SecretDialog } from './secret-dialog.tsx'
import { toSecretRows } from './secret-rows.ts'
import type { SecretRow } from './secret-rows.ts'
import { SecretTable } from './secret-table.tsx'
import styles from './secrets.module.css'

const route = getRouteApi('/secrets')
const purpose = 'Values go in and never come out: they are sealed on save and not shown again.'

/** What tools need to know and nobody is to read: what is set, what is missing, and who waits for it. */
export function SecretsScreen() {
  const mayWrite = useCan('secrets.write')
  if (mayWrite) return <Secrets />
  return (
    <Page title="Secrets" description={purpose}>
      <NotAllowed>Secrets need the permission secrets.write.</NotAllowed>
    </Page>
  )
}

function Secrets() {
  const { q = '', add } = route.useSearch()
  const navigate = route.useNavigate()
  const [edited, setEdited] = useState<SecretRow | 'new'>()
  const query = useInfiniteQuery({
    queryKey: ['secrets', 'list'],
    queryFn: ({ pageParam }) =>
      read(
        api.GET('/api/v1/secrets', {
          params: { query: { limit: 100, ...(pageParam !== '' && { after: pageParam }) } },
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  })
  const rows = toSecretRows(query.data?.pages ?? [])
  const needle = q.toLowerCase()
  const shown = rows.filter(({ name, label = '', agent = '', usedBy }) =>
    [name, label, agent, ...usedBy].some((text) => text.toLowerCase().includes(needle)),
  )
  const close = () => {
    setEdited(undefined)
    if (add !== undefined) void navigate({ search: ({ add: _, ...rest }) => rest, replace: true })
  }
  // The address may name one: the way here from a tool that waits for it.
  const named = add === undefined ? undefined : rows.find(({ name }) => name === add)
  const subject = edited ?? named ?? (add === undefined ? undefined : 'new')
  const addButton = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setEdited('new')}>
      Add secret
    </Button>
  )
  return (
    <Page title="Secrets" description={purpose} actions={addButton}>
      <div className={styles.stack}>
        {rows.length > 8 && (
          <TextInput
            className={styles.search}
            leftSection={<IconSearch size={15} aria-hidden="true" />}
            placeholder="Search by name or tool"
            aria-label="Search secrets"
            value={q}
            onChange={({ currentTarget: { value } }) =>
              void navigate({
                search: (before) => ({ ...before, q: value || undefined }),
                replace: true,
              })
            }
          />
        )}
        <Panel isFlush>
          {query.data === undefined && query.isError ? (
            <Failed error={query.error} retry={() => void query.refetch()} />
          ) : query.data === undefined ? (
            <Loading rows={4} />
          ) : shown.length > 0 ? (
            <SecretTable rows={shown} onEdit={setEdited} />
          ) : (
            <NoSecrets
              isFiltered={q !== ''}
              action={addButton}
              clear={() => void navigate({ search: ({ q: _, ...rest }) => rest, replace: true })}
            />
          )}
          {query.hasNextPage && (
            <div className={styles.more}>
              <Button
                variant="default"
                loading={query.isFetchingNextPage}
                onClick={() => void query.fetchNextPage()}
              >
                Load more
              </Button>
            </div>
          )}
        </Panel>
        <KeyringPanel />
      </div>
      {subject !== undefined && query.data !== undefined && (
        <SecretDialog
          key={subject === 'new' ? 'new' : `${subject.name} ${subject.agent ?? ''}`}
          subject={subject === 'new' ? { name: add ?? '' } : subject}
          rows={rows}
          onClose={close}
        />
      )}
    </Page>
  )
}

interface NoSecretsProps {
  isFiltered: boolean
  action: React.ReactNode
  clear: () => void
}

function NoSecrets({ isFiltered, action, clear }: NoSecretsProps) {
  if (isFiltered) {
    return (
      <Empty
        title="No secret matches"
        actions={
          <Button variant="default" onClick={clear}>
            Clear the search
          </Button>
        }
      />
    )
  }
  return (
    <Empty
      title="No secrets yet"
      icon={<IconKey size={24} stroke={1.5} aria-hidden="true" />}
      actions={action}
    >
      No tool here asks for one. A tool that declares a secret is listed with it, and waits until it
      is set.
    </Empty>
  )
}
