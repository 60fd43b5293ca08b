import type { Finding } from '../kernel/finding.ts'
import type { JsonSchema } from '../kernel/json.ts'
import type { FoundReference } from '../shapes/references-in.ts'
import { malformedIn, referencesIn } from '../shapes/references-in.ts'
import { schemaAt, type KnownSchema } from '../shapes/schema-at.ts'
import { type CheckedAgainst, hint } from './checked-against.ts'
import { stepReferences } from './plan-of.ts'
import type { CompositionSpec, CompositionStep } from './spec.ts'

/** The place of a step in its composition. */
export interface StepPlace {
  spec: CompositionSpec
  against: CheckedAgainst
}

const everywhere = ['input', 'steps', 'now', 'call']
const outcomeFields = ['output', 'status', 'error']
const errorSchema: JsonSchema = {
  type: 'object',
  properties: { code: { type: 'string' }, message: { type: 'string' } },
}

/** References of a step that name nothing. Pointers are into the step. */
export function checkStepReferences(step: CompositionStep, place: StepPlace): Finding[] {
  const { input, when, each, repeat, onError } = step
  const wrong = stepReferences(step).flatMap((reference): Finding[] => {
    const message = problemOf(reference, { step, ...place })
    return message === undefined ? [] : [{ path: reference.pointer, message, severity: 'error' }]
  })
  return [...toMalformed({ input, when, each, repeat, onError }), ...wrong]
}

/** The same for the output of a composition. */
export function checkOutputReferences(spec: CompositionSpec, against: CheckedAgainst): Finding[] {
  const { output } = spec
  const wrong = referencesIn(output, '/output').flatMap((reference): Finding[] => {
    const message = problemOf(reference, { spec, against })
    return message === undefined ? [] : [{ path: reference.pointer, message, severity: 'error' }]
  })
  return [...toMalformed({ output }), ...wrong]
}

function toMalformed(value: Readonly<Record<string, unknown>>): Finding[] {
  return malformedIn(value).map(({ pointer, text }) => ({
    path: pointer,
    message: `has braces without a valid reference: ${text}`,
    fix: 'Write {{input.name}}, or \\{{ for the braces themselves.',
    severity: 'error',
  }))
}

type ReferencePlace = StepPlace & { step?: CompositionStep }

function problemOf(reference: FoundReference, place: ReferencePlace): string | undefined {
  const { root, path, pointer } = reference
  const roots = [...everywhere, ...itemRoots(pointer, place.step)]
  if (!roots.includes(root)) {
    return `refers to ${path}; known here: ${roots.join(', ')}${hint(root, roots)}`
  }
  if (root === 'steps') {
    const problem = stepProblem(reference, place)
    if (problem !== undefined) return problem
  }
  const at = schemaOf(reference, place)
  if (at.kind !== 'missing') return undefined
  return `refers to ${path}, but ${at.key} does not exist${hint(at.key, at.known)}`
}

/** The item is known only within its step, and after the list was read. */
function itemRoots(pointer: string, step: CompositionStep | undefined): string[] {
  if (step === undefined) return []
  const isWithinItem = /^\/(?:input|repeat)/.test(pointer) && step.each !== undefined
  const isUntil = pointer.startsWith('/repeat')
  return [...(isWithinItem ? ['item', 'index'] : []), ...(isUntil ? ['output'] : [])]
}

function stepProblem(
  { keys: [id, field], path }: FoundReference,
  { spec, step }: ReferencePlace,
): string | undefined {
  const ids = spec.steps.map((one) => one.id)
  // Of a step it would depend on the moment which outcomes are there already.
  if (id === undefined)
    return step && 'refers to all steps; name one of them, as in steps.find.output'
  if (id === step?.id) return `refers to ${path}, which is its own outcome`
  if (!ids.includes(id)) return `refers to ${path}, but step ${id} does not exist${hint(id, ids)}`
  if (field === undefined || outcomeFields.includes(field)) return undefined
  return `refers to ${path}; a step has ${outcomeFields.join(', ')}${hint(field, outcomeFields)}`
}

/** The schema of the value that a reference names, as far as it is known. */
export function schemaOf(
  { root, keys }: Pick<FoundReference, 'root' | 'keys'>,
  { spec, against, step }: ReferencePlace,
): KnownSchema {
  if (root === 'input') return schemaAt(against.inputSchema, keys)
  if (root === 'output') return schemaAt(outputOf(step, against), keys)
  if (root !== 'steps') return { kind: 'unknown' }
  const [id, field, ...rest] = keys
  const named = spec.steps.find((one) => one.id === id)
  if (field === 'error') return schemaAt(errorSchema, rest)
  if (field !== 'output' || named === undefined) return { kind: 'unknown' }
  const output = outputOf(named, against)
  if (typeof named.onError === 'object' || output === undefined) return { kind: 'unknown' }
  return schemaAt(named.each === undefined ? output : { type: 'array', items: output }, rest)
}

function outputOf(
  step: CompositionStep | undefined,
  { known }: CheckedAgainst,
): JsonSchema | undefined {
  return step && known.find(step.tool)?.outputSchema
}
