import { NumberInput, SegmentedControl, Stack, Textarea, TextInput } from '@mantine/core'
import { AgentSelect } from '../../../ui/agent-select.tsx'
import { textOf, withMember } from './spec-draft.ts'
import type { Draft, SpecEditorProps } from './spec-draft.ts'

const modes = [
  { value: 'direct', label: 'A model' },
  { value: 'skill', label: 'A skill' },
  { value: 'agent', label: 'An agent' },
]

/** A question to a model, a skill or an agent. */
export function PromptEditor({ spec, onChange }: SpecEditorProps) {
  const mode = textOf(spec['mode']) || 'direct'
  const set = (key: string, value: Parameters<typeof withMember>[2]) =>
    onChange(withMember(spec, key, value))
  const tokens = spec['maxOutputTokens']
  return (
    <Stack gap="md">
      <SegmentedControl
        aria-label="Answered by"
        data={modes}
        value={mode}
        onChange={(next) => onChange({ ...spec, mode: next })}
      />
      {mode === 'agent' && (
        <AgentSelect
          label="Agent"
          none="Choose an agent"
          agent={textOf(spec['agent'])}
          onChange={(agent) => set('agent', agent)}
        />
      )}
      {mode === 'skill' && (
        <TextInput
          label="Skill"
          value={textOf(spec['skill'])}
          onChange={({ currentTarget }) => set('skill', currentTarget.value)}
        />
      )}
      {mode !== 'agent' && <ModelFields spec={spec} set={set} />}
      <Textarea
        label="Question"
        description="Use {{input.name}} for the fields of the input"
        autosize
        minRows={4}
        value={textOf(spec['template'])}
        onChange={({ currentTarget }) => onChange({ ...spec, template: currentTarget.value })}
      />
      <NumberInput
        label="Longest answer"
        description="In tokens"
        min={1}
        allowDecimal={false}
        maw={220}
        value={typeof tokens === 'number' ? tokens : ''}
        onChange={(value) => set('maxOutputTokens', typeof value === 'number' ? value : undefined)}
      />
    </Stack>
  )
}

interface ModelFieldsProps {
  spec: Draft
  set(key: string, value: string): void
}

/** Which model answers, and how. */
function ModelFields({ spec, set }: ModelFieldsProps) {
  return (
    <>
      <TextInput
        label="Model"
        description="Empty: the model of the agent that calls, or the default"
        placeholder="anthropic/claude-sonnet-5"
        value={textOf(spec['model'])}
        onChange={({ currentTarget }) => set('model', currentTarget.value)}
      />
      <Textarea
        label="Instructions"
        description="How it answers. Input can’t be used here, so that nobody can change the instructions."
        autosize
        minRows={2}
        value={textOf(spec['system'])}
        onChange={({ currentTarget }) => set('system', currentTarget.value)}
      />
    </>
  )
}
