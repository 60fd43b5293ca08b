import type { Issue } from '../kernel/errors.ts'
import type { FormSpec } from '../kernel/views/form-spec.ts'
import type { JsonSchema } from '../kernel/json.ts'
import { findPlace, propertyNames } from './document/find-place.ts'
import { createResolver } from './document/resolve-ref.ts'
import { pointerStep } from '../kernel/json/json-pointer.ts'

/** Problems of a form that does not match its schema; pointers into the definition. */
export function findFormIssues(form: FormSpec | undefined, schema: JsonSchema): Issue[] {
  if (form === undefined) return []
  const known = propertyNames(schema, createResolver(schema))
  // Any object is valid, so the names are unknown.
  if (known.length === 0 && schema['additionalProperties'] !== false) return []
  const groups = form.groups ?? []
  return [
    ...findStrangers(form.order ?? [], known, '/form/order'),
    ...groups.flatMap(({ fields }, index) =>
      findStrangers(fields, known, `/form/groups/${index}/fields`),
    ),
    ...findRepeated(groups),
    ...Object.entries(form.fields ?? {}).flatMap(([path, { hidden, order = [] }]) =>
      checkField(schema, path, { hidden, order }),
    ),
  ]
}

function findStrangers(given: readonly string[], known: readonly string[], path: string): Issue[] {
  return given.flatMap((name, index) =>
    known.includes(name)
      ? []
      : [{ path: `${path}/${index}`, message: `names ${name}, ${unknownName(known)}` }],
  )
}

function findRepeated(groups: NonNullable<FormSpec['groups']>): Issue[] {
  const seen = new Set<string>()
  return groups.flatMap(({ fields }, index) =>
    fields.flatMap((name, at) => {
      const isRepeated = seen.has(name)
      seen.add(name)
      const path = `/form/groups/${index}/fields/${at}`
      return isRepeated ? [{ path, message: `names ${name}, which is already in a group` }] : []
    }),
  )
}

interface FieldFacts {
  hidden: boolean | undefined
  order: readonly string[]
}

function checkField(schema: JsonSchema, path: string, { hidden, order }: FieldFacts): Issue[] {
  const pointer = pointerStep('/form/fields', path)
  const place = findPlace(schema, path)
  if (place.kind === 'missing') {
    const message = `is not in the input: there is no ${place.at}${sayKnown(place.known)}`
    return [{ path: pointer, message }]
  }
  const issues = findStrangers(order, place.names, `${pointer}/order`)
  if (hidden === true && place.mustBeGiven) {
    issues.push({
      path: `${pointer}/hidden`,
      message: 'hides a required field; give it a default, or make it optional',
    })
  }
  return issues
}

function unknownName(known: readonly string[]): string {
  return `which the input does not have${sayKnown(known)}`
}

function sayKnown(known: readonly string[]): string {
  if (known.length === 0) return ''
  return `; it has ${known.slice(0, 12).join(', ')}${known.length > 12 ? ', …' : ''}`
}
