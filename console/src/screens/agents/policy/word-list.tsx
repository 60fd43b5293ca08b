import { Button, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import type { Api } from '../../../api/client.ts'
import { useCan } from '../../../api/me.ts'
import { Panel } from '../../../ui/page.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { Empty, Failed } from '../../../ui/states.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { GuardedModal } from '../../../ui/dialog/guarded-dialog.tsx'
import { wordsQuery } from '../parts/agent-queries.ts'
import { DecreeEditor } from './decree-editor.tsx'
import { decreesQuery } from './decrees-query.ts'
import { toDraft } from './decree.ts'
import type { Decree, LevelKind } from './decree.ts'
import styles from './policy.module.css'

type NamedKind = Exclude<LevelKind, 'policy'>

const words: Record<NamedKind, { one: string; none: string; hint: string }> = {
  provider: {
    one: 'provider level',
    none: 'No provider has its own policy',
    hint: 'openai, anthropic, google …',
  },
  profile: { one: 'profile', none: 'No profiles yet', hint: 'readers' },
  group: { one: 'group', none: 'No groups yet', hint: 'crm' },
}

interface Row {
  name: string
  origin: string
  allow: readonly string[]
  deny: readonly string[]
  decree?: Decree
}

const route = getRouteApi('/agents')

/** Provider levels, profiles or groups: the tenant's own are editable, the others read-only. */
export function WordList({ kind }: { kind: NamedKind }) {
  const { name: chosen } = route.useSearch()
  const navigate = route.useNavigate()
  const [isAdding, setAdding] = useState(false)
  const mayWrite = useCan('policy.write')
  const decrees = useQuery(decreesQuery(kind))
  const vocabulary = useQuery(wordsQuery)
  if (decrees.isError) {
    return <Failed error={decrees.error} retry={() => void decrees.refetch()} />
  }
  if (decrees.data === undefined) return <Loading />
  const rows = toRows(kind, decrees.data, vocabulary.data)
  const open = (name: string | undefined) =>
    void navigate({ search: ({ name: _name, ...rest }) => ({ ...rest, ...(name && { name }) }) })
  const row = rows.find(({ name }) => name === chosen)
  return (
    <>
      <Panel
        isFlush
        title={`${rows.length} ${rows.length === 1 ? words[kind].one : `${words[kind].one}s`}`}
        actions={
          mayWrite && (
            <Button
              variant="default"
              leftSection={<IconPlus size={15} aria-hidden="true" />}
              onClick={() => setAdding(true)}
            >
              Add a {words[kind].one}
            </Button>
          )
        }
      >
        {rows.length === 0 && <Empty title={words[kind].none} />}
        <ul className={styles.words}>
          {rows.map((one) => (
            <li key={one.name}>
              <button type="button" className={styles.word} onClick={() => open(one.name)}>
                <b>{one.name}</b>
                <span className={styles.patterns}>{summarise(one)}</span>
                <Tag>{one.origin === 'tenant' ? 'this tenant' : one.origin}</Tag>
              </button>
            </li>
          ))}
        </ul>
      </Panel>
      {row !== undefined && (
        <WordModal kind={kind} row={row} mayWrite={mayWrite} onClose={() => open(undefined)} />
      )}
      {isAdding && <AddWord kind={kind} onClose={() => setAdding(false)} />}
    </>
  )
}

interface WordModalProps {
  kind: NamedKind
  row: Row
  mayWrite: boolean
  onClose: () => void
}

function WordModal({ kind, row, mayWrite, onClose }: WordModalProps) {
  return (
    <GuardedModal opened onClose={onClose} title={`${row.name} (${words[kind].one})`} size="lg">
      <DecreeEditor
        key={row.name}
        kind={kind}
        name={row.name}
        decree={row.decree ?? asDecree(kind, row)}
        isReadOnly={!mayWrite || row.decree === undefined || row.decree.isDeclared}
        onDone={onClose}
      />
    </GuardedModal>
  )
}

function AddWord({ kind, onClose }: { kind: NamedKind; onClose: () => void }) {
  const [name, setName] = useState('')
  const isName = /^[a-z][a-z0-9_-]{0,63}$/.test(name)
  return (
    <GuardedModal opened onClose={onClose} title={`Add a ${words[kind].one}`} size="lg">
      <Stack gap="md">
        <TextInput
          label="Name"
          description="Lowercase letters, digits, dashes and underscores, starting with a letter"
          placeholder={words[kind].hint}
          required
          data-autofocus
          value={name}
          error={name !== '' && !isName ? 'Not a valid name' : undefined}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <DecreeEditor kind={kind} name={name} isReadOnly={!isName} onDone={onClose} />
      </Stack>
    </GuardedModal>
  )
}

type Vocabulary = Api<'PolicyWords'> | undefined

function toRows(kind: NamedKind, decrees: readonly Decree[], vocabulary: Vocabulary): Row[] {
  const own = new Map(decrees.map((decree) => [decree.name, decree]))
  const known =
    kind === 'profile' ? vocabulary?.profiles : kind === 'group' ? vocabulary?.groups : []
  const others = (known ?? [])
    .filter(({ name, origin }) => origin !== 'tenant' || !own.has(name))
    .map((word): Row => {
      const lists = 'patterns' in word ? { allow: word.patterns, deny: [] } : word
      return { name: word.name, origin: word.origin, allow: lists.allow, deny: lists.deny }
    })
  const mine = decrees.map((decree): Row => {
    const { allow, deny } = toDraft(kind, decree.body)
    const origin = decree.isDeclared ? 'configuration' : 'tenant'
    return { name: decree.name, origin, allow, deny, decree }
  })
  return [...mine, ...others]
}

function summarise({ allow, deny }: Row): string {
  const text = [allow.join(', '), deny.length > 0 ? `not ${deny.join(', ')}` : '']
  return text.filter(Boolean).join(' · ') || 'nothing'
}

/** A shipped or configured entry as a document, to be shown read-only. */
function asDecree(kind: NamedKind, { name, allow, deny }: Row): Decree {
  return {
    kind,
    name,
    body: kind === 'group' ? allow : { allow, deny },
    isDeclared: true,
    version: 0,
    updatedAt: new Date(0).toISOString(),
    updatedBy: { kind: 'system', id: 'configuration' },
  }
}
