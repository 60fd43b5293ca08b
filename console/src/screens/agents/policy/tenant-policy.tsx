import { SegmentedControl, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useCan } from '../../../api/me.ts'
import { LoadingFields } from '../../../ui/loading.tsx'
import { Panel } from '../../../ui/page.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { PolicyDocumentEditor } from './policy-document-editor.tsx'
import { policyDocumentsQuery } from './policy-documents-query.ts'
import type { DocumentKind } from './policy-document.ts'
import { PackSwitches } from './pack-switches.tsx'
import { WordList } from './word-list.tsx'
import styles from './policy.module.css'

const route = getRouteApi('/agents')

const kinds: readonly { value: DocumentKind; label: string; about: string }[] = [
  {
    value: 'policy',
    label: 'Tenant',
    about: 'Applies to everyone in this tenant. It can only restrict tools, not add any.',
  },
  {
    value: 'provider',
    label: 'Providers',
    about: 'Applies to agents that use a model of one provider, such as openai or anthropic.',
  },
  {
    value: 'profile',
    label: 'Profiles',
    about: 'Named sets of patterns for agents and policies.',
  },
  {
    value: 'group',
    label: 'Groups',
    about: 'Names for sets of tools, used as group:name in patterns.',
  },
  {
    value: 'pack',
    label: 'Packs',
    about: 'Turn whole packs of tools on or off for this tenant.',
  },
]

/** The tenant's policy for all its agents. Every change is reviewed before it is saved. */
export function TenantPolicy() {
  const { kind: asked } = route.useSearch()
  const navigate = route.useNavigate()
  const kind = kinds.find(({ value }) => value === asked) ?? kinds[0]
  if (kind === undefined) return null
  return (
    <>
      <SegmentedControl
        aria-label="Policy kind"
        className={styles.kinds}
        withItemsBorders={false}
        value={kind.value}
        onChange={(value) => void navigate({ search: { tab: 'policy', kind: value } })}
        data={kinds.map(({ value, label }) => ({ value, label }))}
      />
      <Text size="sm" c="dimmed" my="sm">
        {kind.about}
      </Text>
      {kind.value === 'policy' && <TenantLevel />}
      {kind.value === 'pack' && <PackSwitches />}
      {kind.value !== 'policy' && kind.value !== 'pack' && (
        <WordList key={kind.value} kind={kind.value} />
      )}
    </>
  )
}

function TenantLevel() {
  const policyDocuments = useQuery(policyDocumentsQuery('policy'))
  const mayWrite = useCan('policy.write')
  return (
    <QueryView
      query={policyDocuments}
      loading={
        <Panel title="Tenant policy" className={styles.editor}>
          <LoadingFields fields={3} />
        </Panel>
      }
    >
      {(items) => (
        <Panel title="Tenant policy" className={styles.editor}>
          <PolicyDocumentEditor
            kind="policy"
            name="tenant"
            policyDocument={items[0]}
            isReadOnly={!mayWrite || items[0]?.isDeclared === true}
          />
        </Panel>
      )}
    </QueryView>
  )
}
