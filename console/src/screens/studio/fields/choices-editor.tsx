import { ActionIcon, Button, Checkbox, Input, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import type { FieldShape } from './field-draft.ts'
import styles from './fields.module.css'

type ChoiceField = Extract<FieldShape, { type: 'enum' }>

interface ChoicesEditorProps {
  field: ChoiceField
  onChange(field: ChoiceField): void
}

/** The values of a choice. A title is shown to people instead of its value. */
export function ChoicesEditor({ field, onChange }: ChoicesEditorProps) {
  const { choices } = field
  const set = (at: number, change: Partial<ChoiceField['choices'][number]>) =>
    onChange({
      ...field,
      choices: choices.map((choice, index) => (index === at ? { ...choice, ...change } : choice)),
    })
  return (
    <fieldset className={styles.choices}>
      <Input.Label component="legend">Values</Input.Label>
      {choices.map((choice, index) => (
        <div key={index} className={styles.choice}>
          <TextInput
            aria-label={`Value ${index + 1}`}
            value={String(choice.value)}
            onChange={({ currentTarget }) =>
              set(index, { value: toValue(currentTarget.value, choice.value) })
            }
          />
          <TextInput
            aria-label={`Title of value ${index + 1}`}
            placeholder="Title"
            value={choice.title ?? ''}
            onChange={({ currentTarget: { value } }) =>
              set(index, { title: value === '' ? undefined : value })
            }
          />
          <ActionIcon
            aria-label={`Remove value ${index + 1}`}
            disabled={choices.length === 1}
            onClick={() => onChange({ ...field, choices: choices.filter((_, at) => at !== index) })}
          >
            <IconX size={15} />
          </ActionIcon>
        </div>
      ))}
      <Button
        size="compact-sm"
        variant="subtle"
        leftSection={<IconPlus size={14} aria-hidden="true" />}
        onClick={() => onChange({ ...field, choices: [...choices, { value: '' }] })}
      >
        Add value
      </Button>
      <Checkbox
        label="Several may be chosen"
        checked={field.isMultiple === true}
        onChange={({ currentTarget: { checked } }) =>
          onChange({ ...field, isMultiple: checked ? true : undefined })
        }
      />
    </fieldset>
  )
}

/** A number stays a number while it reads as one. */
function toValue(text: string, before: string | number | boolean): string | number | boolean {
  if (typeof before !== 'number' || text.trim() === '') return text
  const number = Number(text)
  return Number.isFinite(number) ? number : text
}
