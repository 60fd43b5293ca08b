import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useRef } from 'react'
import { addField, moveField } from './field-draft.ts'
import type { Field } from './field-draft.ts'
import { FieldRow } from './field-row.tsx'
import { NestedFields } from './nested-fields.ts'
import type { FieldsEditorProps } from './nested-fields.ts'
import styles from './fields.module.css'

/** The fields of a form, one row each. Rows open for everything beyond name, type and label. */
export function FieldsEditor({ label, fields, onChange, isNested = false }: FieldsEditorProps) {
  const list = useRef<HTMLUListElement>(null)
  return (
    <NestedFields value={nested}>
      <div data-nested={isNested || undefined} className={styles.editor}>
        {fields.length === 0 ? (
          <p className={styles.none}>No fields yet.</p>
        ) : (
          <ul ref={list} className={styles.fields} aria-label={label}>
            {fields.map((field, index) => (
              <FieldRow
                // Names change while they are typed, so the place is what a row keeps.
                key={index}
                fields={fields}
                index={index}
                onChange={(changed) =>
                  onChange(fields.with(index, { ...field, ...changed } as Field))
                }
                onReplace={(shape) =>
                  onChange(
                    fields.with(index, { ...shape, key: field.key, isRequired: field.isRequired }),
                  )
                }
                onMove={(by) => onChange(moveField(fields, index, by))}
                onRemove={() => onChange(fields.filter((_, at) => at !== index))}
              />
            ))}
          </ul>
        )}
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconPlus size={14} aria-hidden="true" />}
          onClick={() => {
            onChange(addField(fields))
            // The new field is there to be named.
            requestAnimationFrame(() =>
              list.current
                ?.querySelector<HTMLInputElement>(':scope > li:last-child input')
                ?.select(),
            )
          }}
        >
          Add field
        </Button>
      </div>
    </NestedFields>
  )
}

const nested = { Fields: FieldsEditor }
