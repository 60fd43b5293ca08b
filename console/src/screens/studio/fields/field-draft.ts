import type { Field, FieldShape } from '../../../../../src/core/shapes/field.ts'

export type { Field, FieldShape } from '../../../../../src/core/shapes/field.ts'

/** The types that people choose from, with what they are called. `json` is for everything else. */
export const fieldTypes: readonly { value: FieldShape['type']; label: string }[] = [
  { value: 'text', label: 'Text' },
  { value: 'number', label: 'Number' },
  { value: 'boolean', label: 'Yes or no' },
  { value: 'date', label: 'Date' },
  { value: 'enum', label: 'Choice' },
  { value: 'url', label: 'Web address' },
  { value: 'email', label: 'Email' },
  { value: 'phone', label: 'Phone number' },
  { value: 'media', label: 'File' },
  { value: 'relation', label: 'Record' },
  { value: 'object', label: 'Group of fields' },
  { value: 'array', label: 'List' },
  { value: 'json', label: 'JSON Schema' },
]

/** A new shape of this type, with what every type has. */
export function changeType(before: FieldShape, type: FieldShape['type']): FieldShape {
  const facts =
    before.type === 'json'
      ? {}
      : {
          ...(before.label !== undefined && { label: before.label }),
          ...(before.description !== undefined && { description: before.description }),
          ...(before.nullable === true && { nullable: true }),
        }
  switch (type) {
    case 'enum':
      return { ...facts, type, choices: [{ value: 'first' }, { value: 'second' }] }
    case 'relation':
      return { ...facts, type, entityType: 'customer' }
    case 'object':
      return { ...facts, type, fields: [] }
    case 'array':
      return { ...facts, type, item: { type: 'text' } }
    case 'json':
      return { type, schema: {} }
    default:
      return { ...facts, type }
  }
}

/** A field with a name that is not taken. */
export function addField(fields: readonly Field[]): Field[] {
  const taken = new Set(fields.map(({ key }) => key))
  let number = fields.length + 1
  while (taken.has(`field_${number}`)) number += 1
  return [...fields, { key: `field_${number}`, isRequired: false, type: 'text' }]
}

export function moveField(fields: readonly Field[], index: number, by: -1 | 1): Field[] {
  const moved = [...fields]
  const [field] = moved.splice(index, 1)
  if (field !== undefined) moved.splice(index + by, 0, field)
  return moved
}

/** Why a name can't be used; undefined if it can. */
export function findKeyProblem(fields: readonly Field[], index: number): string | undefined {
  const key = fields[index]?.key ?? ''
  if (key === '') return 'Give the field a name'
  if (key === '__proto__') return 'Choose another name'
  if (!/^[A-Za-z_][\w-]*$/.test(key)) return 'Use letters, digits, _ and -, with a letter first'
  const isTaken = fields.some((other, at) => at !== index && other.key === key)
  return isTaken ? 'Another field has this name' : undefined
}
