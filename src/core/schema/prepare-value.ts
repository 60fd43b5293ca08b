import type { JsonSchema } from '../kernel/tool.ts'
import { createStepMaker } from './prepare/create-step-maker.ts'
import type { Step } from './prepare/step.ts'
import { createResolver } from './document/resolve-ref.ts'

/** The parts of a schema that are applied to a value before it is validated. */
export interface PrepareOptions {
  /** Off for schemas that apply their own: zod applies defaults after its transforms. */
  defaults: boolean
}

const withDefaults = new WeakMap<JsonSchema, Step>()
const withoutDefaults = new WeakMap<JsonSchema, Step>()

/** Each pass sees the values that the previous one filled in; two are nearly always enough. */
const maxPasses = 4

/**
 * About half a second, and more than any legitimate value needs; beyond it, the rest is unchanged.
 */
const maxEffort = 5_000_000

/**
 * Completes a value without coercing anything: missing nullable keys become null, missing keys with
 * a default get it, unknown keys are dropped, at every depth. Nothing is changed in place; an
 * unchanged value is returned itself. The schema must be within the limits.
 */
export function prepareValue(
  schema: JsonSchema,
  value: unknown,
  options: PrepareOptions = { defaults: true },
): unknown {
  const step = findStep(schema, options)
  const effort = { left: maxEffort }
  let current = value
  for (let pass = 0; pass < maxPasses; pass += 1) {
    const next = step(current, 0, effort)
    if (next === current) break
    current = next
  }
  return current
}

function findStep(schema: JsonSchema, { defaults }: PrepareOptions): Step {
  const steps = defaults ? withDefaults : withoutDefaults
  const known = steps.get(schema)
  if (known) return known
  const made =
    createStepMaker(createResolver(schema), defaults).makeStep([schema]) ?? ((value) => value)
  steps.set(schema, made)
  return made
}
