import type { Finding } from '../kernel/finding.ts'
import type { JsonSchema } from '../kernel/json.ts'
import { isRecord } from '../kernel/json/json-type.ts'
import { pointerStep } from '../kernel/json/json-pointer.ts'
import { referencesIn } from '../shapes/references-in.ts'
import { schemaAt, typesOf } from '../shapes/schema-at.ts'
import { hint } from './checked-against.ts'
import { schemaOf, type StepPlace } from './check-step-references.ts'
import type { CompositionStep } from './spec.ts'

/** An input that the tool of the step would refuse. Pointers are into the step. */
export function checkStepInput(step: CompositionStep, place: StepPlace): Finding[] {
  const schema = place.against.known.find(step.tool)?.inputSchema
  if (schema === undefined) return []
  return [...checkFields(step, schema), ...checkTypes(step, schema, place)]
}

function checkFields({ tool, input = {} }: CompositionStep, schema: JsonSchema): Finding[] {
  const { properties, required } = schema
  if (!isRecord(properties)) return []
  const names = Object.keys(properties)
  const missing = (Array.isArray(required) ? required : []).filter(
    (name): name is string =>
      typeof name === 'string' && !Object.hasOwn(input, name) && !isFilledIn(properties[name]),
  )
  const isClosed = !schema['additionalProperties'] && schema['patternProperties'] === undefined
  const unknown = isClosed ? Object.keys(input).filter((name) => !names.includes(name)) : []
  return [
    ...missing.map((name): Finding => {
      return { path: '/input', message: `lacks ${name}, which ${tool} needs`, severity: 'error' }
    }),
    ...unknown.map((name): Finding => {
      const message = `is not a field of ${tool}, which ignores it${hint(name, names)}`
      return { path: pointerStep('/input', name), message, severity: 'warning' }
    }),
  ]
}

/** Omitted fields are filled in with null, or their default. */
function isFilledIn(schema: unknown): boolean {
  if (!isRecord(schema)) return true
  return 'default' in schema || typesOf(schema)?.has('null') !== false
}

/** A value that is one reference keeps its type, which the field must take. */
function checkTypes(step: CompositionStep, schema: JsonSchema, place: StepPlace): Finding[] {
  return referencesIn(step.input, '/input').flatMap((reference): Finding[] => {
    if (!reference.isWhole) return []
    const source = schemaOf(reference, { step, ...place })
    const target = schemaAt(schema, keysOf(reference.pointer))
    if (source.kind !== 'found' || target.kind !== 'found') return []
    const [given, taken] = [typesOf(source.schema), typesOf(target.schema)]
    if (given === undefined || taken === undefined) return []
    if ([...given].some((type) => taken.has(type))) return []
    const message = `takes ${words(taken)}, and ${reference.path} is ${words(given)}`
    return [{ path: reference.pointer, message, severity: 'error' }]
  })
}

function words(types: ReadonlySet<string>): string {
  return [...types].join(' or ')
}

function keysOf(pointer: string): string[] {
  const keys = pointer.split('/').slice(2)
  return keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
}
