import { Checkbox, NumberInput, Select, Stack, Textarea, TextInput } from '@mantine/core'
import { use, useState } from 'react'
import { JsonEditor } from '../../../ui/json-editor/json-editor.tsx'
import { changeType, fieldTypes } from './field-draft.ts'
import type { FieldShape } from './field-draft.ts'
import { ChoicesEditor } from './choices-editor.tsx'
import { NestedFields } from './nested-fields.ts'
import styles from './fields.module.css'

interface DetailsProps<Shape extends FieldShape = FieldShape> {
  field: Shape
  onChange(field: FieldShape): void
}

/** Everything about a field beyond its name, type and label. */
export function FieldDetails({ field, onChange }: DetailsProps) {
  if (field.type === 'json') return <SchemaText schema={field.schema} onChange={onChange} />
  return (
    <Stack gap="sm">
      <Textarea
        label="Description"
        description="For people who fill it in, and for models"
        autosize
        minRows={1}
        value={field.description ?? ''}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...field, description: value === '' ? undefined : value })
        }
      />
      <TypeDetails field={field} onChange={onChange} />
      <Checkbox
        label="May be empty (null)"
        checked={field.nullable === true}
        onChange={({ currentTarget: { checked } }) =>
          onChange({ ...field, nullable: checked ? true : undefined })
        }
      />
    </Stack>
  )
}

function TypeDetails({ field, onChange }: DetailsProps) {
  switch (field.type) {
    case 'text':
      return <TextDetails field={field} onChange={onChange} />
    case 'url':
    case 'email':
      return <Lengths field={field} onChange={onChange} />
    case 'number':
      return <NumberDetails field={field} onChange={onChange} />
    case 'date':
      return (
        <Checkbox
          label="With a time"
          checked={field.hasTime === true}
          onChange={({ currentTarget: { checked } }) =>
            onChange({ ...field, hasTime: checked ? true : undefined })
          }
        />
      )
    case 'enum':
      return <ChoicesEditor field={field} onChange={onChange} />
    case 'media':
      return (
        <TextInput
          label="Kind of file"
          placeholder="image/*"
          value={field.mediaType ?? ''}
          onChange={({ currentTarget: { value } }) =>
            onChange({ ...field, mediaType: value === '' ? undefined : value })
          }
        />
      )
    case 'relation':
      return (
        <TextInput
          label="Type of record"
          value={field.entityType}
          onChange={({ currentTarget }) => onChange({ ...field, entityType: currentTarget.value })}
        />
      )
    case 'object':
      return <GroupDetails field={field} onChange={onChange} />
    case 'array':
      return <ListDetails field={field} onChange={onChange} />
    default:
      return null
  }
}

function GroupDetails({ field, onChange }: DetailsProps<Extract<FieldShape, { type: 'object' }>>) {
  const { Fields } = use(NestedFields)
  return (
    <Fields
      label="Fields of the group"
      isNested
      fields={field.fields}
      onChange={(fields) => onChange({ ...field, fields })}
    />
  )
}

function TextDetails({ field, onChange }: DetailsProps<Extract<FieldShape, { type: 'text' }>>) {
  return (
    <>
      <Select
        label="Drawn as"
        data={[
          { value: '', label: 'One line' },
          { value: 'textarea', label: 'Several lines' },
          { value: 'markdown', label: 'Markdown' },
        ]}
        value={field.format ?? ''}
        allowDeselect={false}
        onChange={(format) =>
          onChange({
            ...field,
            format: format === 'textarea' || format === 'markdown' ? format : undefined,
          })
        }
      />
      <Lengths field={field} onChange={onChange} />
      <TextInput
        label="Pattern"
        description="A regular expression that the text must match"
        value={field.pattern ?? ''}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...field, pattern: value === '' ? undefined : value })
        }
      />
    </>
  )
}

function Lengths({
  field,
  onChange,
}: DetailsProps<Extract<FieldShape, { type: 'text' | 'url' | 'email' }>>) {
  return (
    <div className={styles.pair}>
      <Limit
        label="Shortest"
        value={field.minLength}
        onChange={(minLength) => onChange({ ...field, minLength })}
      />
      <Limit
        label="Longest"
        value={field.maxLength}
        onChange={(maxLength) => onChange({ ...field, maxLength })}
      />
    </div>
  )
}

function NumberDetails({ field, onChange }: DetailsProps<Extract<FieldShape, { type: 'number' }>>) {
  return (
    <>
      <Checkbox
        label="Whole numbers only"
        checked={field.isInteger === true}
        onChange={({ currentTarget: { checked } }) =>
          onChange({ ...field, isInteger: checked ? true : undefined })
        }
      />
      <div className={styles.pair}>
        <Limit
          label="Smallest"
          mayBeNegative
          value={field.minimum}
          onChange={(minimum) => onChange({ ...field, minimum })}
        />
        <Limit
          label="Largest"
          mayBeNegative
          value={field.maximum}
          onChange={(maximum) => onChange({ ...field, maximum })}
        />
      </div>
    </>
  )
}

function ListDetails({ field, onChange }: DetailsProps<Extract<FieldShape, { type: 'array' }>>) {
  const { item } = field
  const set = (changed: FieldShape) => onChange({ ...field, item: changed })
  return (
    <>
      <Select
        label="List of"
        data={[...fieldTypes]}
        value={item.type}
        allowDeselect={false}
        onChange={(type) => type !== null && type !== item.type && set(changeType(item, type))}
      />
      <div className={styles.nested}>
        {item.type === 'json' ? (
          <SchemaText schema={item.schema} onChange={set} />
        ) : (
          <TypeDetails field={item} onChange={set} />
        )}
      </div>
      <div className={styles.pair}>
        <Limit
          label="Fewest"
          value={field.minItems}
          onChange={(minItems) => onChange({ ...field, minItems })}
        />
        <Limit
          label="Most"
          value={field.maxItems}
          onChange={(maxItems) => onChange({ ...field, maxItems })}
        />
      </div>
    </>
  )
}

interface LimitProps {
  label: string
  value: number | undefined
  mayBeNegative?: boolean
  onChange(value: number | undefined): void
}

function Limit({ label, value, mayBeNegative = false, onChange }: LimitProps) {
  return (
    <NumberInput
      label={label}
      value={value ?? ''}
      {...(!mayBeNegative && { min: 0, allowDecimal: false })}
      allowNegative={mayBeNegative}
      onChange={(next) => onChange(typeof next === 'number' ? next : undefined)}
    />
  )
}

interface SchemaTextProps {
  schema: Extract<FieldShape, { type: 'json' }>['schema']
  onChange(field: FieldShape): void
}

/** A piece of another type, as JSON. Text that does not parse stays until it does. */
function SchemaText({ schema, onChange }: SchemaTextProps) {
  const [text, setText] = useState(() => JSON.stringify(schema, null, 2))
  const change = (typed: string) => {
    setText(typed)
    const parsed = parseSchema(typed)
    if (parsed !== undefined) onChange({ type: 'json', schema: parsed })
  }
  return <JsonEditor label="JSON Schema of the field" text={text} onChange={change} minLines={4} />
}

function parseSchema(text: string): SchemaTextProps['schema'] | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isSchema =
      typeof value === 'boolean' ||
      (typeof value === 'object' && value !== null && !Array.isArray(value))
    return isSchema ? (value as SchemaTextProps['schema']) : undefined
  } catch {
    return undefined
  }
}
