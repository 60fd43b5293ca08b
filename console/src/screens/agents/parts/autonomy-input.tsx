import { Input, SegmentedControl, Text } from '@mantine/core'
import { useId } from 'react'
import type { Agent } from './agent-queries.ts'

export type Autonomy = Agent['autonomy']

const meanings: Record<Autonomy, string> = {
  conservative: 'Needs approval for every call that changes something.',
  standard: 'Needs approval where a tool or a rule requires it.',
  autonomous: 'Needs approval only where a tool or a confirm rule requires it.',
}

interface AutonomyInputProps {
  value: Autonomy
  onChange: (value: Autonomy) => void
  disabled?: boolean
}

/** How often an agent needs approval. */
export function AutonomyInput({ value, onChange, disabled = false }: AutonomyInputProps) {
  const id = useId()
  return (
    <div>
      <Input.Label id={id} component="div" display="block" mb={4}>
        Autonomy
      </Input.Label>
      <SegmentedControl
        aria-labelledby={id}
        disabled={disabled}
        value={value}
        onChange={onChange}
        data={[
          { value: 'conservative', label: 'Conservative' },
          { value: 'standard', label: 'Standard' },
          { value: 'autonomous', label: 'Autonomous' },
        ]}
      />
      <Text size="xs" c="dimmed" mt={4}>
        {meanings[value]}
      </Text>
    </div>
  )
}
