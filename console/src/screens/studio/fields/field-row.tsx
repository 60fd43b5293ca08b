import { ActionIcon, Checkbox, Select, TextInput } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { RowButtons } from '../../../ui/list/row-buttons.tsx'
import { changeType, fieldTypes, findKeyProblem } from './field-draft.ts'
import type { Field, FieldShape } from './field-draft.ts'
import { FieldDetails } from './field-details.tsx'
import styles from './fields.module.css'

interface FieldRowProps {
  fields: readonly Field[]
  index: number
  onChange(change: Partial<Field>): void
  /** Another type has other facts. */
  onReplace(shape: FieldShape): void
  onMove(by: -1 | 1): void
  onRemove(): void
}

/** One field: its name, type and label, and whether it is required. */
export function FieldRow({ fields, index, onChange, onReplace, onMove, onRemove }: FieldRowProps) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const field = fields[index]
  if (field === undefined) return null
  const { key, type, isRequired } = field
  return (
    <li className={styles.row}>
      <div className={styles.line}>
        <ActionIcon
          aria-label={`Details of ${key}`}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          <IconChevronRight size={16} className={styles.chevron} data-open={isOpen || undefined} />
        </ActionIcon>
        <TextInput
          aria-label={`Name of field ${index + 1}`}
          className={styles.name}
          classNames={{ input: styles.key ?? '' }}
          value={key}
          error={findKeyProblem(fields, index)}
          onChange={({ currentTarget }) => onChange({ key: currentTarget.value })}
        />
        <div className={styles.type}>
          <Select
            aria-label={`Type of ${key}`}
            data={[...fieldTypes]}
            value={type}
            allowDeselect={false}
            onChange={(next) => {
              if (next !== null && next !== type) onReplace(changeType(field, next))
              if (next === 'enum' || next === 'object' || next === 'array') setOpen(true)
            }}
          />
        </div>
        <Label field={field} onChange={onChange} />
        <Checkbox
          className={styles.required}
          label="Required"
          checked={isRequired}
          onChange={({ currentTarget }) => onChange({ isRequired: currentTarget.checked })}
        />
        <div className={styles.buttons}>
          <RowButtons
            name={key}
            index={index}
            count={fields.length}
            onMove={onMove}
            onRemove={onRemove}
          />
        </div>
      </div>
      <div id={id} hidden={!isOpen} className={styles.details}>
        {isOpen && <FieldDetails field={field} onChange={onReplace} />}
      </div>
    </li>
  )
}

function Label({ field, onChange }: { field: Field; onChange(change: Partial<Field>): void }) {
  if (field.type === 'json')
    return <span className={`${styles.label} ${styles.noLabel}`}>Named in its schema</span>
  return (
    <TextInput
      className={styles.label}
      aria-label={`Label of ${field.key}`}
      placeholder="Label"
      value={field.label ?? ''}
      onChange={({ currentTarget: { value } }) =>
        onChange({ label: value === '' ? undefined : value })
      }
    />
  )
}
