import { createContext } from 'react'
import type { ComponentType } from 'react'
import type { Field } from './field-draft.ts'

export interface FieldsEditorProps {
  /** The owner of the fields, such as "Input". */
  label: string
  fields: readonly Field[]
  onChange(fields: Field[]): void
  /** A list of fields inside a field. */
  isNested?: boolean
}

/** The editor for the fields of a group: the one around it, which can't be imported from below. */
export const NestedFields = createContext<{ Fields: ComponentType<FieldsEditorProps> }>({
  Fields: () => null,
})
