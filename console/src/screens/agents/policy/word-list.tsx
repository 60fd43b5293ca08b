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
import { PolicyDocumentEditor } from './policy-document-editor.tsx'
import { policyDocumentsQuery } from './policy-documents-query.ts'
import { toDraft } from './policy-document.ts'
import type { PolicyDocument, LevelKind } from './policy-document.ts'
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
  policyDocument?: PolicyDocument
}

const route = getRouteApi('/agents')

/** Provider levels, profiles or groups: the tenant's own are editable, the others read-only. */
export function WordList({ kind }: { kind: NamedKind }) {
  const { name: chosen } = route.useSearch()
  const navigate = route.useNavigate()
  const [isAdding, setAdding] = useState(false)
  const mayWrite = useCan('policy.write')
  const policyDocuments = useQuery(policyDocumentsQuery(kind))
  const vocabulary = useQuery(wordsQuery)
  if (policyDocuments.isError) {
    return <Failed error={policyDocuments.error} retry={() => void policyDocuments.refetch()} />
  }
  if (policyDocuments.data === undefined) return <Loading />
  const rows = toRows(kind, policyDocuments.data, vocabulary.data)
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
      <PolicyDocumentEditor
        key={row.name}
        kind={kind}
        name={row.name}
        policyDocument={row.policyDocument ?? asPolicyDocument(kind, row)}
        isReadOnly={!mayWrite || row.policyDocument === undefined || row.policyDocument.isDeclared}
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
        <PolicyDocumentEditor kind={kind} name={name} isReadOnly={!isName} onDone={onClose} />
      </Stack>
    </GuardedModal>
  )
}

type Vocabulary = Api<'PolicyWords'> | undefined

function toRows(
  kind: NamedKind,
  policyDocuments: readonly PolicyDocument[],
  vocabulary: Vocabulary,
): Row[] {
  const own = new Map(
    policyDocuments.map((policyDocument) => [policyDocument.name, policyDocument]),
  )
  const known =
    kind === 'profile' ? vocabulary?.profiles : kind === 'group' ? vocabulary?.groups : []
  const others = (known ?? [])
    .filter(({ name, origin }) => origin !== 'tenant' || !own.has(name))
    .map((word): Row => {
      const lists = 'patterns' in word ? { allow: word.patterns, deny: [] } : word
      return { name: word.name, origin: word.origin, allow: lists.allow, deny: lists.deny }
    })
  const mine = policyDocuments.map((policyDocument): Row => {
    const { allow, deny } = toDraft(kind, policyDocument.body)
    const origin = policyDocument.isDeclared ? 'configuration' : 'tenant'
    return { name: policyDocument.name, origin, allow, deny, policyDocument }
  })
  return [...mine, ...others]
}

function summarise({ allow, deny }: Row): string {
  const text = [allow.join(', '), deny.length > 0 ? `not ${deny.join(', ')}` : '']
  return text.filter(Boolean).join(' · ') || 'nothing'
}

/** A shipped or configured entry as a document, to be shown read-only. */
function asPolicyDocument(kind: NamedKind, { name, allow, deny }: Row): PolicyDocument {
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
