import { schemasOf, type Subschema } from '../document/keywords.ts'
import type { Situation, Step, StepMaker } from './step.ts'

/** Prepares the items of an array. */
export function toArrayStep({ shape }: Situation, maker: StepMaker): Step {
  const longest = Math.max(
    0,
    ...shape.certain.map((schema) => schemasOf(schema, 'prefixItems').length),
  )
  // One step for each position of a tuple, and the last for all positions after it.
  const steps = Array.from({ length: longest + 1 }, (_, index) =>
    maker.makeStep(shape.certain.map((schema) => findItemSchema(schema, index))),
  )
  if (steps.every((step) => step === undefined)) return (value) => value
  return (value, depth, effort) => {
    const list = value as readonly unknown[]
    let copy: unknown[] | undefined
    for (let index = 0; index < list.length; index += 1) {
      const step = steps[Math.min(index, longest)]
      if (step === undefined) continue
      const prepared = step(list[index], depth + 1, effort)
      if (prepared === list[index]) continue
      copy ??= [...list]
      copy[index] = prepared
    }
    return copy ?? value
  }
}

function findItemSchema(schema: Readonly<Record<string, unknown>>, index: number): Subschema {
  return (
    schemasOf(schema, 'prefixItems')[index] ?? (schema['items'] as Subschema | undefined) ?? true
  )
}
