import { Switch } from '@mantine/core'
import { useImperativeHandle, useMemo } from 'react'
import type { Ref } from 'react'
import type { Api } from '../../../api/client.ts'
import type { JsonValue } from '../../../api/json.ts'
import { ToolInput, useToolInput } from '../../../form/tool-input.tsx'
import type { ToolInputState } from '../../../form/tool-input.tsx'
import type { SettingsDraft } from './settings-draft.ts'

interface OptionFieldsProps {
  tool: Api<'ToolDetail'>
  options: SettingsDraft['options']
  isReadOnly: boolean
  onChange: (options: SettingsDraft['options']) => void
  ref: Ref<ToolInputState>
}

/** The options of a tool as a form of its schema, or the tool's defaults. */
export function OptionFields({ tool, options, isReadOnly, onChange, ref }: OptionFieldsProps) {
  if (tool.optionsSchema === undefined) return null
  return (
    <>
      <Switch
        label="Custom options"
        description={
          options === undefined
            ? 'Inherited: the tool’s defaults.'
            : 'These apply to this agent instead of the tool’s defaults.'
        }
        disabled={isReadOnly}
        checked={options !== undefined}
        onChange={({ currentTarget: { checked } }) => onChange(checked ? {} : undefined)}
      />
      {options !== undefined && (
        <OptionForm tool={tool} initial={options} isReadOnly={isReadOnly} ref={ref} />
      )}
    </>
  )
}

interface OptionFormProps {
  tool: Api<'ToolDetail'>
  initial: Record<string, JsonValue>
  isReadOnly: boolean
  ref: Ref<ToolInputState>
}

function OptionForm({ tool, initial, isReadOnly, ref }: OptionFormProps) {
  const asInput = useMemo(() => toInputOf(tool), [tool])
  const isBlank = Object.keys(initial).length === 0
  const state = useToolInput({
    tool: asInput,
    keepDraft: false,
    ...(!isBlank && { initial }),
  })
  useImperativeHandle(ref, () => state)
  return <ToolInput tool={asInput} state={state} isDisabled={isReadOnly} hasHistory={false} />
}

/** The tool's options as a tool of their own, so that the input form can draw them. */
function toInputOf({ form: _form, ...tool }: Api<'ToolDetail'>): Api<'ToolDetail'> {
  return {
    ...tool,
    name: `${tool.name} options`,
    inputSchema: tool.optionsSchema ?? {},
    examples: [],
  }
}
