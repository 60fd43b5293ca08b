import { ActionIcon, Autocomplete, Button, Input, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import styles from './pair-rows.module.css'

/** A name and a value: an environment variable, a header or a parameter. */
export interface Pair {
  name: string
  value: string
}

interface PairRowsProps {
  label: string
  /** The name of one pair, such as "header". */
  one: string
  description?: string | undefined
  /** Of a value. */
  placeholder: string
  /** Values to choose from. */
  suggestions?: string[]
  pairs: readonly Pair[]
  isReadOnly?: boolean
  onChange: (pairs: Pair[]) => void
}

/** Names with values, a row for each. */
export function PairRows(props: PairRowsProps) {
  const { label, one, description, placeholder, suggestions = [] } = props
  const { pairs, isReadOnly = false, onChange } = props
  const set = (at: number, change: Partial<Pair>) =>
    onChange(pairs.map((pair, index) => (index === at ? { ...pair, ...change } : pair)))
  return (
    <fieldset className={styles.pairs} disabled={isReadOnly}>
      <Input.Label component="legend">{label}</Input.Label>
      {description !== undefined && <Input.Description mb={4}>{description}</Input.Description>}
      {pairs.map((pair, index) => (
        <div key={index} className={styles.pair}>
          <TextInput
            aria-label={`Name of ${one} ${index + 1}`}
            placeholder="Name"
            value={pair.name}
            onChange={({ currentTarget }) => set(index, { name: currentTarget.value })}
          />
          <Autocomplete
            aria-label={`Value of ${one} ${index + 1}`}
            placeholder={placeholder}
            data={suggestions}
            value={pair.value}
            onChange={(value) => set(index, { value })}
          />
          {!isReadOnly && (
            <ActionIcon
              aria-label={`Remove ${one} ${index + 1}`}
              onClick={() => onChange(pairs.filter((_, at) => at !== index))}
            >
              <IconX size={15} />
            </ActionIcon>
          )}
        </div>
      ))}
      {!isReadOnly && (
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconPlus size={14} aria-hidden="true" />}
          onClick={() => onChange([...pairs, { name: '', value: '' }])}
        >
          Add {one}
        </Button>
      )}
    </fieldset>
  )
}
