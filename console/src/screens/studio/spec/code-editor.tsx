import { Input, SegmentedControl, Stack } from '@mantine/core'
import { SourceEditor } from './source-editor.tsx'
import { textOf } from './spec-draft.ts'
import type { SpecEditorProps } from './spec-draft.ts'

/** A function body. `input` is what the tool was called with; `tools` calls other tools. */
export function CodeEditor({ spec, onChange }: SpecEditorProps) {
  return (
    <Stack gap="md">
      <SegmentedControl
        aria-label="Language"
        data={[
          { value: 'ts', label: 'TypeScript' },
          { value: 'js', label: 'JavaScript' },
        ]}
        value={textOf(spec['language']) || 'ts'}
        onChange={(language) => onChange({ ...spec, language })}
      />
      <Input.Wrapper
        label="Code"
        labelElement="div"
        description="Return the output. It has no network and no files: everything goes through await tools['name'](input)."
      >
        <SourceEditor
          label="Code"
          text={textOf(spec['source'])}
          onChange={(source) => onChange({ ...spec, source })}
        />
      </Input.Wrapper>
    </Stack>
  )
}
