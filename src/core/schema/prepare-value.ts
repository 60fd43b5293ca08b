import type { JsonSchema } from '../kernel/tool.ts'
import { createStepMaker } from './prepare/create-step-maker.ts'
import type { Step } from './prepare/step.ts'
import { createResolver } from './document/resolve-ref.ts'

/** Which parts of a schema are applied to a value before it is judged. */
export interface PrepareOptions {
  /** Off for schemas that apply their own: zod's defaults stand on the far side of its transforms. */
  defaults: boolean
}

const withDefaults = new WeakMap<JsonSchema, Step>()
const withoutDefaults = new WeakMap<JsonSchema, Step>()

/** Each pass sees what the one before it filled in; two nearly always do. */
const maxPasses = 4

/** Half a second's worth, and more than any honest value needs; past it, the rest stays as it is. */
const maxEffort = 5_000_000

/**
 * Makes a value what its author meant, without coercing anything: missing keys that may be null
 * become null, missing keys with a default get it, keys that the schema does not know are dropped,
 * at every depth. Nothing is changed in place; a value with nothing to do comes back itself. The
 * schema must be within the bounds.
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
