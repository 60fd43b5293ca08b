import { Checkbox, Stack, Textarea, TextInput } from '@mantine/core'
import { textOf, withMember } from './spec-draft.ts'
import type { SpecEditorProps } from './spec-draft.ts'

/** Work for an agent or for people. */
export function TaskEditor({ spec, onChange }: SpecEditorProps) {
  return (
    <Stack gap="md">
      <TextInput
        label="Given to"
        description="agent:slug, role:operator or user:id"
        value={textOf(spec['to'])}
        onChange={({ currentTarget }) => onChange({ ...spec, to: currentTarget.value })}
      />
      <Textarea
        label="Instructions"
        description="Use {{input.name}} for the fields of the input"
        autosize
        minRows={4}
        value={textOf(spec['template'])}
        onChange={({ currentTarget }) => onChange({ ...spec, template: currentTarget.value })}
      />
      <Checkbox
        label="Wait for the result"
        checked={spec['wait'] !== false}
        onChange={({ currentTarget }) =>
          onChange(withMember(spec, 'wait', currentTarget.checked ? undefined : false))
        }
      />
      <TextInput
        label="Due in"
        placeholder="2d"
        maw={220}
        value={textOf(spec['dueIn'])}
        onChange={({ currentTarget }) => onChange(withMember(spec, 'dueIn', currentTarget.value))}
      />
    </Stack>
  )
}
