import { Checkbox, NumberInput } from '@mantine/core'

/** The settings that every source of tools has. */
export interface SourceDraft {
  timeoutMs: number | ''
  isPinned: boolean
  isEnabled: boolean
}

interface SourceFieldsProps {
  draft: SourceDraft
  /** What it brings in, such as "tool". */
  one: string
  maxTimeoutMs: number
  isReadOnly: boolean
  set: (change: Partial<SourceDraft>) => void
}

/** How long its calls may take, whether changes are reviewed, and whether it is in use. */
export function SourceFields({ draft, one, maxTimeoutMs, isReadOnly, set }: SourceFieldsProps) {
  return (
    <>
      <NumberInput
        label="Call timeout (ms)"
        min={100}
        max={maxTimeoutMs}
        readOnly={isReadOnly}
        value={draft.timeoutMs}
        onChange={(value) => set({ timeoutMs: typeof value === 'number' ? value : '' })}
      />
      <Checkbox
        label={`Quarantine a changed ${one} until someone accepts it`}
        disabled={isReadOnly}
        checked={draft.isPinned}
        onChange={({ currentTarget }) => set({ isPinned: currentTarget.checked })}
      />
      <Checkbox
        label="Enabled"
        disabled={isReadOnly}
        checked={draft.isEnabled}
        onChange={({ currentTarget }) => set({ isEnabled: currentTarget.checked })}
      />
    </>
  )
}
