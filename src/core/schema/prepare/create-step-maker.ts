import { maxValueDepth } from '../../kernel/json/check-json.ts'
import { glance } from '../document/branch.ts'
import { isRecord } from '../../kernel/json/json-type.ts'
import type { Subschema } from '../document/keywords.ts'
import type { ResolveRef } from '../document/resolve-ref.ts'
import { toArrayStep } from './array-step.ts'
import { toChooser } from './choose-branch.ts'
import { toObjectStep } from './object-step.ts'
import { type Choice, toShape } from './shape.ts'
import type { Situation, Step, StepMaker } from './step.ts'

/**
 * Recursive schemas under unions can produce new combinations without end; beyond this values are
 * unchanged.
 */
const maxSteps = 2000
const maxChoices = 32

/** Creates steps when a value first needs them, once for each set of schemas. */
export function createStepMaker(resolve: ResolveRef, appliesDefaults: boolean): StepMaker {
  const ids = new Map<unknown, number>()
  const made = new Map<string, Step>()
  const idOf = (thing: unknown) => {
    const id = ids.get(thing) ?? ids.size
    ids.set(thing, id)
    return id
  }

  const makeSettled = (schemas: readonly Subschema[], choices: readonly Choice[]): Step => {
    const objects = [...new Set(schemas.filter(isRecord))]
    const settled = choices.map(
      (choice) => `${idOf(choice.union)}:${choice.index}${choice.byNeed ? '?' : ''}`,
    )
    const key = `${objects.map(idOf).join()}|${settled.join()}`
    const known = made.get(key)
    if (known) return known
    if (made.size >= maxSteps) return keep
    const step = lazily(() => build(objects, choices))
    made.set(key, step)
    return step
  }

  const build = (schemas: readonly Subschema[], choices: readonly Choice[]): Step => {
    const shape = toShape(schemas, resolve)
    if (shape.certain.some(hasFixedParts)) return keep
    const settled = new Set(choices.map(({ union }) => union))
    const open = shape.unions.filter((union) => !settled.has(union))
    if (open.length > 0)
      return choices.length < maxChoices ? choosing(open, { schemas, shape, choices }) : keep
    const situation = { schemas, shape, choices }
    const forObject = toObjectStep(situation, maker)
    const forArray = toArrayStep(situation, maker)
    return (value, depth, effort) =>
      Array.isArray(value) ? forArray(value, depth, effort) : forObject(value, depth, effort)
  }

  const choosing = (
    open: readonly (readonly Subschema[])[],
    { schemas, choices }: Situation,
  ): Step => {
    const choosers = open.map((union) => toChooser(union, resolve))
    return (value, depth, effort) => {
      const now = choosers.map((choose) => choose(value))
      const chosen = now.flatMap(({ union, index }) => (index < 0 ? [] : [union[index] ?? true]))
      return makeSettled([...schemas, ...chosen], [...choices, ...now])(value, depth, effort)
    }
  }

  const maker: StepMaker = {
    resolve,
    appliesDefaults,
    makeStep: (schemas) =>
      schemas.some(isRecord) && mayHoldParts(schemas, resolve)
        ? makeSettled(schemas, [])
        : undefined,
  }
  return maker
}

const keep: Step = (value) => value

function lazily(build: () => Step): Step {
  let step: Step | undefined
  return (value, depth, effort) => {
    if (typeof value !== 'object' || value === null || depth > maxValueDepth) return value
    step ??= build()
    return step(value, depth, effort)
  }
}

/** Scalars have no keys to fill or strip. */
function mayHoldParts(schemas: readonly Subschema[], resolve: ResolveRef): boolean {
  return schemas.every((schema) => {
    const { types } = glance(schema, resolve)
    return types.includes('object') || types.includes('array')
  })
}

/** A value that must equal a given object either matches as it is or not at all. */
function hasFixedParts(schema: Readonly<Record<string, unknown>>): boolean {
  const values = [
    schema['const'],
    ...(Array.isArray(schema['enum']) ? (schema['enum'] as unknown[]) : []),
  ]
  return values.some((value) => typeof value === 'object' && value !== null)
}
