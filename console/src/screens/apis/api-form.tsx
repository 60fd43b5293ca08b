import { Checkbox, Stack, TagsInput, TextInput } from '@mantine/core'
import { SourceFields } from '../../ui/source-fields.tsx'
import type { ApiDraft } from './api-draft.ts'
import type { ApiScheme } from './api-queries.ts'
import { Credentials } from './credentials.tsx'

interface ApiFormProps {
  draft: ApiDraft
  schemes: readonly ApiScheme[]
  isReadOnly: boolean
  set: (change: Partial<ApiDraft>) => void
}

/** The settings of an API. */
export function ApiForm({ draft, schemes, isReadOnly, set }: ApiFormProps) {
  return (
    <Stack gap="sm">
      <TextInput
        label="Title"
        description="Display name"
        readOnly={isReadOnly}
        value={draft.title}
        onChange={({ currentTarget }) => set({ title: currentTarget.value })}
      />
      <TextInput
        label="Server"
        description="Credentials go only to this host, even if the document changes"
        readOnly={isReadOnly}
        value={draft.server}
        onChange={({ currentTarget }) => set({ server: currentTarget.value })}
      />
      <Credentials schemes={schemes} draft={draft} set={set} isReadOnly={isReadOnly} />
      <TagsInput
        label="Include operations"
        description="Names, patterns such as issues.*, GET /repos/* or tag:issues. Leave empty for all."
        readOnly={isReadOnly}
        value={draft.include}
        onChange={(include) => set({ include })}
      />
      <TagsInput
        label="Exclude operations"
        readOnly={isReadOnly}
        value={draft.exclude}
        onChange={(exclude) => set({ exclude })}
      />
      <Checkbox
        label="Allow local and private addresses"
        disabled={isReadOnly}
        checked={draft.isPrivate}
        onChange={({ currentTarget }) => set({ isPrivate: currentTarget.checked })}
      />
      <SourceFields
        draft={draft}
        one="operation"
        maxTimeoutMs={600_000}
        isReadOnly={isReadOnly}
        set={set}
      />
    </Stack>
  )
}
