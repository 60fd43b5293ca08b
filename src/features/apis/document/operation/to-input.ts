import type { Json, JsonObject, OperationBody, OperationParameter } from '../../model.ts'
import { isFile } from '../schema/plain-schema.ts'
import type { SchemaWriter } from '../schema/write-schema.ts'
import type { References } from '../references.ts'
import { memberOf, recordIn, textIn } from '../values.ts'
import { type FoundBody, type PlainObject, toPlainObject } from './read-body.ts'
import { type FoundParameter, toWriting } from './read-parameters.ts'

/** The input of a tool, and how it becomes a request. */
export interface OperationInput {
  schema: JsonObject
  parameters: OperationParameter[]
  body: OperationBody | undefined
}

interface InputParts {
  parameters: readonly FoundParameter[]
  body: FoundBody | undefined
  references: References
  writer: SchemaWriter
}

/** Every parameter by its name; the properties of a plain body beside them, any other under `body`. */
export function toInput({ parameters, body, references, writer }: InputParts): OperationInput {
  const fields = createFields()
  const written = parameters.map(({ schema, description, isRequired, ...rest }) => {
    const value = withDescription(writer.write(schema), description)
    const field = fields.add(rest.name, `${rest.name}_${rest.in}`, { value, isRequired })
    return { field, ...rest }
  })
  const found = body && toBody({ body, fields, references, writer })
  const definitions = writer.definitions()
  return {
    schema: {
      type: 'object',
      properties: fields.properties,
      ...(fields.required.length > 0 && { required: fields.required }),
      additionalProperties: false,
      ...(Object.keys(definitions).length > 0 && { $defs: definitions }),
    },
    parameters: written,
    body: found,
  }
}

/** A longer list beside the parameters helps nobody. */
const mostFields = 200

interface BodyParts extends Pick<InputParts, 'references' | 'writer'> {
  body: FoundBody
  fields: Fields
}

function toBody({ body, fields, references, writer }: BodyParts): OperationBody {
  const { mediaType, kind, isRequired, description, schema } = body
  const common = { mediaType, kind, isRequired }
  const isObject = kind === 'json' || kind === 'form' || kind === 'multipart'
  const plain = isObject
    ? withoutReadOnly(toPlainObject(schema, references), references)
    : undefined
  const names = [...(plain?.properties.keys() ?? [])]
  const isFlat = names.length > 0 && names.length <= mostFields && names.every(fields.isFree)
  if (plain === undefined || !isFlat) {
    const value = withDescription(writer.write(schema), description)
    return { ...common, field: fields.add('body', 'body_content', { value, isRequired }) }
  }
  const parts = [...plain.properties].map(([name, property]) => {
    // Without a body nothing in it is required.
    const isNeeded = isRequired && plain.required.has(name)
    const value = writer.write(property)
    const field = fields.add(name, `${name}_body`, { value, isRequired: isNeeded })
    return { field, name, ...partOf(name, { body, property, references }) }
  })
  return { ...common, fields: parts }
}

/** How one field of a form is written; JSON needs nothing. */
function partOf(
  name: string,
  { body, property, references }: { body: FoundBody; property: Json; references: References },
) {
  if (body.kind === 'json') return {}
  const schema = references.follow(property) ?? {}
  const items = references.follow(memberOf(schema, 'items')) ?? {}
  const encoding = recordIn(body.encoding, name)
  const mediaType = textIn(encoding, 'contentType')
  const isComplex = schema['type'] === 'object' || items['type'] === 'object'
  const isWritten = Object.keys(encoding).length > 0 && encoding['style'] !== undefined
  const asJson = body.kind === 'multipart' && isComplex && !isWritten
  return {
    writing: asJson
      ? { style: 'json' as const, explode: false }
      : toWriting({ schema, ...encoding }, 'query'),
    ...(mediaType !== undefined && { mediaType }),
    ...(isFile(schema) && { file: 'one' as const }),
    ...(isFile(items) && { file: 'many' as const }),
  }
}

function withoutReadOnly(
  plain: PlainObject | undefined,
  references: References,
): PlainObject | undefined {
  if (plain === undefined) return undefined
  for (const [name, property] of plain.properties) {
    const isHidden = name === '__proto__' || references.follow(property)?.['readOnly'] === true
    if (isHidden) plain.properties.delete(name)
  }
  return plain
}

function withDescription(schema: JsonObject, description: string | undefined): JsonObject {
  return description === undefined || schema['description'] !== undefined
    ? schema
    : { ...schema, description: description.slice(0, 600) }
}

interface Fields {
  readonly properties: JsonObject
  readonly required: string[]
  /** No field has this name yet. */
  isFree(name: string): boolean
  /** Returns the key of the field: its name, or the other where the name is taken. */
  add(name: string, otherwise: string, field: { value: JsonObject; isRequired: boolean }): string
}

function createFields(): Fields {
  const properties: JsonObject = {}
  const required: string[] = []
  const isFree = (name: string) => !Object.hasOwn(properties, toKey(name))
  return {
    properties,
    required,
    isFree,
    add(name, otherwise, { value, isRequired }) {
      let key = toKey(isFree(name) ? name : otherwise)
      for (let count = 2; Object.hasOwn(properties, key); count++) {
        key = `${toKey(otherwise)}_${count}`
      }
      properties[key] = value
      if (isRequired) required.push(key)
      return key
    },
  }
}

/** Models refuse keys with other characters, and longer ones. */
function toKey(name: string): string {
  const key = name.replaceAll(/[^A-Za-z0-9_.-]+/g, '_').replaceAll(/^_+|_+$/g, '')
  return (key === '' || key === '__proto__' ? 'field' : key).slice(0, 60)
}
