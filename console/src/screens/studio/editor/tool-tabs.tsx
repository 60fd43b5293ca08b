import { Select, Stack, Tabs, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { readFields, writeFields } from '../../../../../src/core/shapes/read-fields.ts'
import { Tag } from '../../../ui/tag.tsx'
import { FieldsEditor } from '../fields/fields-editor.tsx'
import { CodeEditor } from '../spec/code-editor.tsx'
import { HttpEditor } from '../spec/http-editor.tsx'
import { JsonText } from '../spec/json-text.tsx'
import { PromptEditor } from '../spec/prompt-editor.tsx'
import { InputNames, inputNamesOf } from '../spec/references.ts'
import { blankSpec, draftOf, specKinds, textOf, withMember } from '../spec/spec-draft.ts'
import type { Draft, SpecKindName } from '../spec/spec-draft.ts'
import { StepsEditor } from '../spec/steps-editor.tsx'
import { TaskEditor } from '../spec/task-editor.tsx'
import type { ToolFinding } from '../studio-queries.ts'
import { kindOf, stepFindings, tabOf, toDocument } from './document.ts'
import { RulesTab } from './rules-tab.tsx'

interface TabProps {
  document: Draft
  onChange(document: Draft): void
  findings: readonly ToolFinding[]
}

const names = {
  identity: 'Identity',
  input: 'Input',
  work: 'What it does',
  output: 'Output',
  rules: 'Rules',
  json: 'JSON',
} as const

type TabName = keyof typeof names

/** The parts of a document, each with the number of its errors. */
export function ToolTabs(props: TabProps) {
  const { document, onChange, findings } = props
  const [tab, setTab] = useState<TabName>('identity')
  const errors = findings.filter(({ severity }) => severity === 'error')
  const count = (name: string) => errors.filter(({ path }) => tabOf(path) === name).length
  return (
    <Tabs
      value={tab}
      onChange={(next) => setTab((next ?? 'identity') as TabName)}
      keepMounted={false}
    >
      <Tabs.List mb="md">
        {Object.entries(names).map(([name, label]) => (
          <Tabs.Tab
            key={name}
            value={name}
            rightSection={count(name) > 0 && <Tag tone="deny">{count(name)}</Tag>}
          >
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="identity">
        <IdentityTab {...props} />
      </Tabs.Panel>
      <Tabs.Panel value="input">
        <SchemaTab {...props} field="inputSchema" label="Input" />
      </Tabs.Panel>
      <Tabs.Panel value="work">
        <WorkTab {...props} />
      </Tabs.Panel>
      <Tabs.Panel value="output">
        <SchemaTab {...props} field="outputSchema" label="Output" />
      </Tabs.Panel>
      <Tabs.Panel value="rules">
        <RulesTab document={document} onChange={onChange} />
      </Tabs.Panel>
      <Tabs.Panel value="json">
        <JsonText
          label="The whole document"
          description="As it is kept, exported and published"
          value={document}
          onChange={(value) => {
            const next = toDocument(value)
            if (next !== undefined) onChange(next)
          }}
          minLines={20}
        />
      </Tabs.Panel>
    </Tabs>
  )
}

function IdentityTab({ document, onChange }: TabProps) {
  const set = (key: string, value: string) => onChange(withMember(document, key, value))
  return (
    <Stack gap="md">
      <TextInput
        label="Title"
        description="For people. Empty: made from the name."
        value={textOf(document['title'])}
        onChange={({ currentTarget }) => set('title', currentTarget.value)}
      />
      <Textarea
        label="Description"
        description="For models: the purpose of the tool, when to use it, and what to try first."
        autosize
        minRows={3}
        value={textOf(document['description'])}
        onChange={({ currentTarget }) =>
          onChange({ ...document, description: currentTarget.value })
        }
      />
      <TextInput
        label="Icon"
        description="The name of a Tabler icon"
        placeholder="receipt-refund"
        maw={280}
        value={textOf(document['icon'])}
        onChange={({ currentTarget }) => set('icon', currentTarget.value)}
      />
    </Stack>
  )
}

/** A schema as fields where it is one of fields, else as JSON. */
function SchemaTab({
  document,
  onChange,
  field,
  label,
}: TabProps & { field: 'inputSchema' | 'outputSchema'; label: string }) {
  const schema = document[field]
  const read = schema === undefined ? { fields: [], isOpen: false, rest: {} } : readFields(schema)
  return (
    <Stack gap="lg">
      {field === 'outputSchema' && (
        <p>
          {schema === undefined
            ? 'Without fields the output may be anything.'
            : 'The output is checked against these fields, and shown by them.'}
        </p>
      )}
      {read === undefined ? (
        <p>Parts of this schema cannot be shown as fields. Edit it as JSON below.</p>
      ) : (
        <FieldsEditor
          label={`Fields of the ${label.toLowerCase()}`}
          fields={read.fields}
          onChange={(fields) => {
            const next = writeFields({ ...read, fields })
            const isGone = field === 'outputSchema' && fields.length === 0
            onChange(withMember(document, field, isGone ? undefined : (next as Draft)))
          }}
        />
      )}
      <details>
        <summary>JSON Schema</summary>
        <JsonText
          label={`JSON Schema of the ${label.toLowerCase()}`}
          value={schema}
          onChange={(value) => onChange(withMember(document, field, value))}
          minLines={8}
        />
      </details>
      {field === 'inputSchema' && (
        <JsonText
          label="Examples"
          description='A list such as [{ "label": "An order", "input": { "id": "A-1" } }]'
          value={document['examples']}
          onChange={(value) => onChange(withMember(document, 'examples', value))}
        />
      )}
    </Stack>
  )
}

function WorkTab({ document, onChange, findings }: TabProps) {
  const spec = draftOf(document['spec'])
  const kind = kindOf(document)
  const props = { spec, onChange: (next: Draft) => onChange({ ...document, spec: next }) }
  return (
    <Stack gap="lg">
      <Select
        label="How it works"
        data={specKinds.map(({ value, label }) => ({ value, label }))}
        value={kind}
        allowDeselect={false}
        maw={280}
        onChange={(next) => {
          if (next !== null && next !== kind) {
            onChange({ ...document, spec: blankSpec(next as SpecKindName) })
          }
        }}
      />
      {kind === 'composition' && (
        <InputNames value={inputNamesOf(document)}>
          <StepsEditor {...props} findings={stepFindings(findings)} />
        </InputNames>
      )}
      {kind === 'http' && <HttpEditor {...props} />}
      {kind === 'prompt' && <PromptEditor {...props} />}
      {kind === 'code' && <CodeEditor {...props} />}
      {kind === 'task' && <TaskEditor {...props} />}
    </Stack>
  )
}
