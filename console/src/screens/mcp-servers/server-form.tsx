import {
  Checkbox,
  Input,
  SegmentedControl,
  Stack,
  TagsInput,
  Textarea,
  TextInput,
} from '@mantine/core'
import { useId } from 'react'
import { SourceFields } from '../../ui/source-fields.tsx'
import { PairsInput } from '../../ui/pairs/pairs-input.tsx'
import type { ServerDraft } from './server-draft.ts'
import styles from './mcp-servers.module.css'

interface ServerFormProps {
  draft: ServerDraft
  set: (change: Partial<ServerDraft>) => void
  isReadOnly?: boolean
  /** The kind of a server can be chosen only when it is created. */
  isNew?: boolean
}

/** How to reach a server, and which of its tools to use. */
export function ServerForm({ draft, set, isReadOnly = false, isNew = false }: ServerFormProps) {
  return (
    <Stack gap="sm">
      {isNew && (
        <SegmentedControl
          aria-label="Kind of server"
          value={draft.kind}
          onChange={(kind) => set({ kind: kind === 'stdio' ? 'stdio' : 'http' })}
          data={[
            { value: 'http', label: 'URL' },
            { value: 'stdio', label: 'Program' },
          ]}
        />
      )}
      {draft.kind === 'stdio' ? (
        <Program draft={draft} set={set} isReadOnly={isReadOnly} />
      ) : (
        <Address draft={draft} set={set} isReadOnly={isReadOnly} />
      )}
      {isNew ? (
        <details className={styles.more}>
          <summary>More settings</summary>
          <Stack gap="sm" mt="sm">
            <Choice draft={draft} set={set} isReadOnly={isReadOnly} />
          </Stack>
        </details>
      ) : (
        <Choice draft={draft} set={set} isReadOnly={isReadOnly} />
      )}
    </Stack>
  )
}

type PartProps = Required<Pick<ServerFormProps, 'draft' | 'set' | 'isReadOnly'>>

function Program({ draft, set, isReadOnly }: PartProps) {
  return (
    <>
      <TextInput
        label="Program"
        description="Speaks MCP on stdio. Runs as the same user as the server."
        placeholder="npx"
        required={!isReadOnly}
        readOnly={isReadOnly}
        value={draft.command}
        onChange={({ currentTarget }) => set({ command: currentTarget.value })}
      />
      <Textarea
        label="Arguments"
        description="One per line"
        placeholder={'-y\n@modelcontextprotocol/server-filesystem\n/srv/files'}
        autosize
        minRows={2}
        maxRows={8}
        readOnly={isReadOnly}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        value={draft.args}
        onChange={({ currentTarget }) => set({ args: currentTarget.value })}
      />
      <TextInput
        label="Working directory"
        readOnly={isReadOnly}
        value={draft.cwd}
        onChange={({ currentTarget }) => set({ cwd: currentTarget.value })}
      />
      <PairsInput
        label="Environment"
        one="variable"
        isReadOnly={isReadOnly}
        pairs={draft.env}
        onChange={(env) => set({ env })}
      />
    </>
  )
}

function Address({ draft, set, isReadOnly }: PartProps) {
  const id = useId()
  return (
    <>
      <TextInput
        label="URL"
        placeholder="https://docs.example/mcp"
        required={!isReadOnly}
        readOnly={isReadOnly}
        value={draft.url}
        onChange={({ currentTarget }) => set({ url: currentTarget.value })}
      />
      <PairsInput
        label="Headers"
        one="header"
        isReadOnly={isReadOnly}
        pairs={draft.headers}
        onChange={(headers) => set({ headers })}
      />
      <div>
        <Input.Label id={id} component="div" display="block" mb={4}>
          Sign-in
        </Input.Label>
        <SegmentedControl
          aria-labelledby={id}
          disabled={isReadOnly}
          value={draft.signIn}
          onChange={(signIn) => set({ signIn })}
          data={[
            { value: 'none', label: 'None' },
            { value: 'each', label: 'Each person signs in' },
            { value: 'shared', label: 'One shared account' },
          ]}
        />
      </div>
      {draft.signIn !== 'none' && <SignIn draft={draft} set={set} isReadOnly={isReadOnly} />}
      <Checkbox
        label="Allow local and private addresses"
        disabled={isReadOnly}
        checked={draft.isPrivate}
        onChange={({ currentTarget }) => set({ isPrivate: currentTarget.checked })}
      />
    </>
  )
}

function SignIn({ draft, set, isReadOnly }: PartProps) {
  return (
    <>
      <TagsInput
        label="Scopes"
        readOnly={isReadOnly}
        value={draft.scopes}
        onChange={(scopes) => set({ scopes })}
      />
      <TextInput
        label="Client ID"
        description="If the provider gave you one. Otherwise a client is registered automatically."
        readOnly={isReadOnly}
        value={draft.clientId}
        onChange={({ currentTarget }) => set({ clientId: currentTarget.value })}
      />
      <TextInput
        label="Client secret"
        placeholder="secret:name"
        readOnly={isReadOnly}
        value={draft.clientSecret}
        onChange={({ currentTarget }) => set({ clientSecret: currentTarget.value })}
      />
    </>
  )
}

function Choice({ draft, set, isReadOnly }: PartProps) {
  return (
    <>
      <TextInput
        label="Title"
        description="Display name"
        readOnly={isReadOnly}
        value={draft.title}
        onChange={({ currentTarget }) => set({ title: currentTarget.value })}
      />
      <TagsInput
        label="Include tools"
        description="Names or patterns such as read_*. Leave empty for all tools."
        readOnly={isReadOnly}
        value={draft.allow}
        onChange={(allow) => set({ allow })}
      />
      <TagsInput
        label="Exclude tools"
        readOnly={isReadOnly}
        value={draft.deny}
        onChange={(deny) => set({ deny })}
      />
      <TagsInput
        label="Trust the hints of these tools"
        description="Names or patterns, * for all. Without trust, a tool that claims to be read-only is still treated as a change."
        readOnly={isReadOnly}
        value={draft.trustHints}
        onChange={(trustHints) => set({ trustHints })}
      />
      <SourceFields
        draft={draft}
        one="tool"
        maxTimeoutMs={86_400_000}
        isReadOnly={isReadOnly}
        set={set}
      />
    </>
  )
}
