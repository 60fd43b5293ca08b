import type { JsonValue } from '../kernel/json.ts'
import { resolveReferences } from '../shapes/resolve-references.ts'
import { type CompositionState, rootsOf, type StepOutcome } from './composition-state.ts'
import { orderOf } from './order-of.ts'
import type { CompositionPlan } from './plan-of.ts'
import { runStep } from './run-step.ts'
import type { CompositionSpec, CompositionStep } from './spec.ts'

/**
 * Runs the steps of a composition, each as soon as those it waits for have ended. A step that waits
 * stays pending, and so does all that rests on it; the other branches continue. When nothing can
 * continue, the call is stored, and this function runs again from the beginning once a step has an answer.
 */
export async function runComposition(
  { spec, plan }: { spec: CompositionSpec; plan: CompositionPlan },
  run: CompositionState,
): Promise<JsonValue> {
  const ended = new Map<string, Promise<void>>()
  for (const step of orderOf(spec.steps, plan)) {
    const waits = [...(plan.get(step.id) ?? [])].flatMap((id) => ended.get(id) ?? [])
    ended.set(step.id, runAfter(waits, step, run))
  }
  try {
    await Promise.all(ended.values())
  } catch (error) {
    // No step may run on after its composition has ended.
    await run.steps.idle()
    throw run.failure?.error ?? error
  }
  return outputOf(spec, run)
}

async function runAfter(
  waits: readonly Promise<void>[],
  step: CompositionStep,
  run: CompositionState,
): Promise<void> {
  if (waits.length > 0) await Promise.all(waits)
  if (run.failure !== undefined) throw run.failure.error
  run.outcomes[step.id] = findPin(step, run) ?? (await runStep(step, run))
}

/** A step may be named `constructor`, which every object answers to. */
function findPin({ id }: CompositionStep, { pins }: CompositionState): StepOutcome | undefined {
  return Object.hasOwn(pins, id) ? pins[id] : undefined
}

function outputOf({ output, steps }: CompositionSpec, run: CompositionState): JsonValue {
  if (output !== undefined) return resolveReferences(output, rootsOf(run)) ?? null
  return run.outcomes[steps.at(-1)?.id ?? '']?.output ?? null
}
