import type { Finding } from '../kernel/finding.ts'
import { pointerStep } from '../kernel/json/json-pointer.ts'
import { utf8Length } from '../kernel/text/utf8.ts'
import { type CheckedAgainst, hint } from './checked-against.ts'
import { checkStepReferences, checkOutputReferences } from './check-step-references.ts'
import { checkStepInput } from './check-step-input.ts'
import { findCircles } from './find-circles.ts'
import { planOf } from './plan-of.ts'
import { compositionBounds, type CompositionSpec, type CompositionStep } from './spec.ts'

/** Problems that the shape can't show. Pointers are into the spec: `/steps/2/input/id`. */
export function checkComposition(spec: CompositionSpec, against: CheckedAgainst): Finding[] {
  return [
    ...checkSize(spec),
    ...spec.steps.flatMap((step, index) => {
      const at = pointerStep('/steps', index)
      return [
        ...checkId(step, { index, steps: spec.steps }),
        ...checkAfter(step, spec.steps).map((one) => ({ ...one, path: at + one.path })),
        ...checkTool(step, against).map((one) => ({ ...one, path: at + one.path })),
        ...checkStepReferences(step, { spec, against }).map((one) => ({
          ...one,
          path: at + one.path,
        })),
        ...checkStepInput(step, { spec, against }).map((one) => ({ ...one, path: at + one.path })),
      ]
    }),
    ...checkCircles(spec),
    ...checkOutputReferences(spec, against),
  ]
}

function error(path: string, message: string, fix?: string): Finding {
  return { path, message, ...(fix !== undefined && { fix }), severity: 'error' }
}

function checkSize(spec: CompositionSpec): Finding[] {
  const bytes = utf8Length(JSON.stringify(spec))
  const { maxSpecBytes } = compositionBounds
  if (bytes <= maxSpecBytes) return []
  return [error('', `has ${bytes} bytes; at most ${maxSpecBytes} are allowed`)]
}

function checkId(
  { id }: CompositionStep,
  { index, steps }: { index: number; steps: readonly CompositionStep[] },
): Finding[] {
  if (steps.findIndex((step) => step.id === id) === index) return []
  return [
    error(`/steps/${index}/id`, `names another step before it: ${id}`, 'Give each its own id.'),
  ]
}

function checkAfter(
  { id, after = [] }: CompositionStep,
  steps: readonly CompositionStep[],
): Finding[] {
  const ids = steps.map((step) => step.id)
  return after.flatMap((name, index) => {
    const path = `/after/${index}`
    if (name === id) return [error(path, 'names the step itself')]
    return ids.includes(name) ? [] : [error(path, `names no step: ${name}${hint(name, ids)}`)]
  })
}

function checkTool({ tool }: CompositionStep, against: CheckedAgainst): Finding[] {
  const { known, name, usesOf, isOpen } = against
  if (known.find(tool) === undefined) {
    if (isOpen) return []
    return [error('/tool', `names no tool: ${tool}${hint(tool, known.names())}`)]
  }
  if (name === undefined) return []
  const way = findWay(tool, name, { usesOf: usesOf ?? (() => []), passed: new Set() })
  if (way === undefined) return []
  const message = `would call itself: ${[name, ...way].join(' → ')}`
  return [error('/tool', message, 'Start it with flow.start, under a condition that ends.')]
}

/** From one tool to another, through the steps of compositions. */
function findWay(
  from: string,
  to: string,
  { usesOf, passed }: { usesOf(tool: string): readonly string[]; passed: Set<string> },
): string[] | undefined {
  if (from === to) return [to]
  if (passed.has(from)) return undefined
  passed.add(from)
  for (const next of usesOf(from)) {
    const way = findWay(next, to, { usesOf, passed })
    if (way !== undefined) return [from, ...way]
  }
  return undefined
}

function checkCircles(spec: CompositionSpec): Finding[] {
  return findCircles(planOf(spec)).map((circle) => {
    const index = spec.steps.findIndex(({ id }) => id === circle[0])
    const steps = [...circle, circle[0] ?? ''].join(' → ')
    const message = `waits for itself: ${steps}`
    return error(`/steps/${index}`, message, 'Leave out one of these in after or in a reference.')
  })
}
