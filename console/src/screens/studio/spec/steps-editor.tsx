import { Button, Stack } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { JsonText } from './json-text.tsx'
import { withMember } from './spec-draft.ts'
import type { Draft, SpecEditorProps } from './spec-draft.ts'
import { StepRow } from './step-row.tsx'
import { addStep, columnsOf, moveStep, renameStep, stepsOf } from './steps-draft.ts'
import type { StepFindings } from './step-row.tsx'
import styles from './spec.module.css'

interface StepsEditorProps extends SpecEditorProps {
  /** Problems of each step, by its place. */
  findings: StepFindings
}

/** The steps of a composition as a list that can be read, with lanes for those that run at once. */
export function StepsEditor({ spec, onChange, findings }: StepsEditorProps) {
  const steps = stepsOf(spec)
  const lanes = columnsOf(steps)
  const [opened, setOpened] = useState<number | undefined>(steps.length === 1 ? 0 : undefined)
  const set = (next: readonly Draft[]) => onChange({ ...spec, steps: [...next] })
  return (
    <Stack gap="md">
      <ol className={styles.steps} aria-label="Steps">
        {steps.map((step, index) => (
          <StepRow
            key={index}
            steps={steps}
            index={index}
            lane={lanes[index] ?? 0}
            lanes={Math.max(...lanes) + 1}
            findings={findings[index] ?? []}
            isOpen={opened === index}
            onToggle={() => setOpened(opened === index ? undefined : index)}
            onRename={(id) => onChange(renameStep(spec, index, id))}
            onChange={(changed) => set(steps.with(index, changed))}
            onMove={(by) => {
              set(moveStep(steps, index, by))
              if (opened === index) setOpened(index + by)
            }}
            onRemove={() => {
              set(steps.filter((_, at) => at !== index))
              setOpened(undefined)
            }}
          />
        ))}
      </ol>
      <Button
        variant="default"
        size="compact-sm"
        style={{ justifySelf: 'start', alignSelf: 'flex-start' }}
        leftSection={<IconPlus size={14} aria-hidden="true" />}
        onClick={() => {
          set(addStep(steps))
          setOpened(steps.length)
        }}
      >
        Add step
      </Button>
      <JsonText
        label="Output"
        description='JSON with references, such as { "total": "{{steps.find.output.total}}" }. Empty: the output of the last step.'
        value={spec['output']}
        onChange={(value) => onChange(withMember(spec, 'output', value))}
      />
    </Stack>
  )
}
