import { Button } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { IconKey, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { api, read } from '../../api/client.ts'
import { useCan } from '../../api/me.ts'
import { useCreating } from '../../ui/dialog/creating.ts'
import { FilterInput } from '../../ui/list/filter-input.tsx'
import { ListView } from '../../ui/list/list-view.tsx'
import { Page, Panel } from '../../ui/page.tsx'
import { Empty, NotAllowed } from '../../ui/states.tsx'
import { KeyringPanel } from './keyring-panel.tsx'
import { NotesDialog } from './notes-dialog.tsx'
import { SecretDialog } from './secret-dialog.tsx'
import { toSecretRows } from './secret-rows.ts'
import type { SecretRow } from './secret-rows.ts'
import { SecretTable } from './secret-table.tsx'
import styles from './secrets.module.css'

const route = getRouteApi('/secrets')
const purpose = 'Values are encrypted on save and never shown again.'

/** The secrets of this tenant: set or missing, and the tools that use them. */
export function SecretsScreen() {
  const mayWrite = useCan('secrets.write')
  if (mayWrite) return <Secrets />
  return (
    <Page title="Secrets" description={purpose}>
      <NotAllowed>You need the permission secrets.write to manage secrets.</NotAllowed>
    </Page>
  )
}

function Secrets() {
  const { q = '', add } = route.useSearch()
  const navigate = route.useNavigate()
  const [edited, setEdited] = useState<SecretRow>()
  const [isNew, { open: create, close: leaveNew }] = useCreating('secret')
  const [noted, setNoted] = useState<SecretRow>()
  const query = useSecrets()
  const rows = toSecretRows(query.data?.pages ?? [])
  const close = () => {
    setEdited(undefined)
    leaveNew()
    if (add !== undefined) void navigate({ search: { q: q || undefined }, replace: true })
  }
  const search = (text: string) =>
    void navigate({ search: (before) => ({ ...before, q: text || undefined }), replace: true })
  const subject = edited ?? findNamed(rows, add, isNew)
  const addButton = <AddButton open={create} />
  return (
    <Page title="Secrets" description={purpose} actions={addButton}>
      <div className={styles.stack}>
        {rows.length > 8 && (
          <FilterInput
            label="Search secrets"
            placeholder="Search by name or tool"
            value={q}
            onChange={search}
          />
        )}
        <Panel isFlush>
          <ListView
            query={query}
            items={query.data && rows.filter((row) => fits(row, q))}
            empty={<NoSecrets isFiltered={q !== ''} action={addButton} clear={() => search('')} />}
          >
            {(found) => <SecretTable rows={found} onEdit={setEdited} onNote={setNoted} />}
          </ListView>
        </Panel>
        <KeyringPanel />
      </div>
      {subject !== undefined && query.data !== undefined && (
        <SecretDialog
          key={keyOf(subject)}
          subject={subject === 'new' ? { name: add ?? '' } : subject}
          rows={rows}
          onClose={close}
        />
      )}
      {noted !== undefined && (
        <NotesDialog key={keyOf(noted)} row={noted} onClose={() => setNoted(undefined)} />
      )}
    </Page>
  )
}

function AddButton({ open }: { open: () => void }) {
  return (
    <Button leftSection={<IconPlus size={16} />} onClick={open}>
      Add secret
    </Button>
  )
}

/** The address may name a secret to add: linked from a tool that needs it. */
function findNamed(
  rows: readonly SecretRow[],
  name: string | undefined,
  isNew: boolean,
): SecretRow | 'new' | undefined {
  if (isNew) return 'new'
  return name === undefined ? undefined : (rows.find((row) => row.name === name) ?? 'new')
}

function keyOf(subject: SecretRow | 'new'): string {
  return subject === 'new' ? 'new' : `${subject.name} ${subject.agent ?? ''}`
}

function fits(row: SecretRow, q: string): boolean {
  const { name, label = '', agent = '', description = '', usedBy } = row
  const needle = q.toLowerCase()
  return [name, label, agent, description, ...usedBy].some((text) =>
    text.toLowerCase().includes(needle),
  )
}

function useSecrets() {
  return useInfiniteQuery({
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
}

interface NoSecretsProps {
  isFiltered: boolean
  action: ReactNode
  clear: () => void
}

function NoSecrets({ isFiltered, action, clear }: NoSecretsProps) {
  if (isFiltered) {
    return (
      <Empty
        title="No secrets found"
        actions={
          <Button variant="default" onClick={clear}>
            Clear search
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
      No tool declares a secret. A tool that declares one appears here, and can’t run until the
      secret is set.
    </Empty>
  )
}
