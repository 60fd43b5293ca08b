import { NumberInput, Select, Stack, TextInput } from '@mantine/core'
import { JsonText } from '../spec/json-text.tsx'
import { textOf, withMember } from '../spec/spec-draft.ts'
import type { Draft } from '../spec/spec-draft.ts'

interface RulesTabProps {
  document: Draft
  onChange(document: Draft): void
}

/** The callers of the tool, and its limits. */
export function RulesTab({ document, onChange }: RulesTabProps) {
  const set = (key: string) => (value: Parameters<typeof withMember>[2]) =>
    onChange(withMember(document, key, value))
  const { timeoutMs } = document
  return (
    <Stack gap="md">
      <Select
        label="Effect"
        description="It follows from what the tool does. You can only raise it."
        data={[
          { value: '', label: 'As it follows' },
          { value: 'read', label: 'Reads' },
          { value: 'write', label: 'Writes' },
          { value: 'destructive', label: 'Destroys' },
        ]}
        value={textOf(document['effect'])}
        allowDeselect={false}
        maw={280}
        onChange={(effect) => set('effect')(effect ?? undefined)}
      />
      <Select
        label="Approval"
        data={[
          { value: '', label: 'As the rules say' },
          { value: 'always', label: 'Always' },
        ]}
        value={document['approval'] === 'always' ? 'always' : ''}
        allowDeselect={false}
        maw={280}
        onChange={(approval) => set('approval')(approval ?? undefined)}
      />
      <TextInput
        label="Permission"
        description="The caller must hold it. Empty: everybody who may call tools."
        placeholder="billing.refund"
        maw={360}
        value={textOf(document['permission'])}
        onChange={({ currentTarget }) => set('permission')(currentTarget.value)}
      />
      <NumberInput
        label="Time limit in ms"
        min={1}
        allowDecimal={false}
        maw={200}
        value={typeof timeoutMs === 'number' ? timeoutMs : ''}
        onChange={(value) => set('timeoutMs')(typeof value === 'number' ? value : undefined)}
      />
      <SecretsAndTrials document={document} set={set} />
    </Stack>
  )
}

interface JsonPartsProps {
  document: Draft
  set(key: string): (value: Parameters<typeof withMember>[2]) => void
}

function SecretsAndTrials({ document, set }: JsonPartsProps) {
  return (
    <>
      <JsonText
        label="Secrets"
        description='The secrets that it uses, such as ["orders_token"]'
        value={document['secrets']}
        onChange={set('secrets')}
        minLines={1}
      />
      <JsonText
        label="Tests"
        description='Such as [{ "label": "Finds an order", "input": { "id": "A-1" }, "expect": { "status": "completed" } }]'
        value={document['tests']}
        onChange={set('tests')}
      />
      <JsonText
        label="Evals"
        description='Such as [{ "say": "Where is order A-1?", "expect": { "calls": [{ "tool": "orders.find" }] } }]'
        value={document['evals']}
        onChange={set('evals')}
      />
    </>
  )
}
