import type { CallError, CallResult } from '../kernel/call.ts'
import { isToolError, ToolError } from '../kernel/errors.ts'
import type { JsonValue } from '../kernel/json.ts'
import { matches } from '../shapes/matches.ts'
import { resolveReferences } from '../shapes/resolve-references.ts'
import { isWorthRetry } from './is-worth-retry.ts'
import { type CompositionState, rootsOf, type StepOutcome } from './composition-state.ts'
import { compositionBounds, type CompositionStep, stepDefaults } from './spec.ts'

/** One place of a step: the step itself, or one item of its list. */
interface Place {
  key: string
  more: Readonly<Record<string, JsonValue>>
  /** For an item of a list: how many there are. */
  itemCount?: number
}

/** Runs a step to its end. Throws if its failure ends the composition. */
export async function runStep(step: CompositionStep, run: CompositionState): Promise<StepOutcome> {
  if (step.when !== undefined && !matches(step.when, rootsOf(run))) {
    return { status: 'skipped', output: null }
  }
  if (step.each === undefined) {
    return runPlace(step, { key: step.id, more: {} }, run)
  }
  return runEach(step, run)
}

async function runEach(step: CompositionStep, run: CompositionState): Promise<StepOutcome> {
  const items = listOf(step, run)
  if (!Array.isArray(items)) return toFailed(step, items, run)
  const outcomes: StepOutcome[] = []
  const left = items.entries()
  // Shared by all of them: each takes the next item when it is done with one.
  const takeAll = async () => {
    for (const [index, item] of left) {
      if (run.failure !== undefined) throw run.failure.error
      const place = { key: `${step.id}/${index}`, more: { item, index }, itemCount: items.length }
      outcomes[index] = await runPlace(step, place, run)
    }
  }
  const width = Math.min(step.atOnce ?? stepDefaults.atOnce, items.length)
  await Promise.all(Array.from({ length: width }, takeAll))
  const failed = outcomes.find(({ status }) => status === 'failed')
  return {
    status: failed === undefined ? 'completed' : 'failed',
    output: outcomes.map(({ output }) => output),
    ...(failed?.error && { error: failed.error }),
  }
}

/** The list of a skipped step is empty. */
function listOf(step: CompositionStep, run: CompositionState): JsonValue[] | CallError {
  try {
    const items = resolveReferences(step.each ?? [], rootsOf(run)) ?? []
    if (Array.isArray(items) && items.length <= compositionBounds.maxNestedCalls) return items
    const message = Array.isArray(items)
      ? `its list has ${items.length} items, and may have ${compositionBounds.maxNestedCalls}`
      : `each needs a list, and ${JSON.stringify(step.each)} is not one`
    return { code: 'invalid_input', message, retryable: false }
  } catch (error) {
    return toError(error)
  }
}

/** Repeats one place until its condition holds. */
async function runPlace(
  step: CompositionStep,
  place: Place,
  run: CompositionState,
): Promise<StepOutcome> {
  const { repeat } = step
  for (let round = 0; ; round += 1) {
    const key = repeat === undefined ? place.key : `${place.key}.${round}`
    const result = await tryAgain(step, { ...place, key }, run)
    if (result.status !== 'completed') return toFailed(step, failureOf(result), run)
    const output = result.output ?? null
    const isLast = repeat === undefined || round + 1 >= repeat.max
    if (isLast || matches(repeat.until, rootsOf(run, { ...place.more, output }))) {
      return { status: 'completed', output }
    }
  }
}

/** Makes the call of one place; again if it failed, as often as the step allows. */
async function tryAgain(
  step: CompositionStep,
  place: Place,
  run: CompositionState,
): Promise<CallResult> {
  const input = inputOf(step, place, run)
  if (input.error !== undefined) return { status: 'failed', error: input.error }
  const { times = 0, delayMs = 0 } = step.retry ?? {}
  const version = step.version === stepDefaults.version ? undefined : step.version
  const { tool, timeoutMs } = step
  const { itemCount } = place
  const isItem = itemCount !== undefined
  const request = { tool, input: input.value, version, timeoutMs, isItem, itemCount }
  for (let attempt = 0; ; attempt += 1) {
    const key = attempt === 0 ? place.key : `${place.key}~${attempt}`
    const startAt = attempt > 0 ? laterBy(delayMs, run) : undefined
    const result = await run.steps.call({ ...request, key, startAt })
    const isLast = attempt >= times || run.failure !== undefined
    if (isLast || !isWorthRetry(result.error)) return result
  }
}

/** A retry waits in the queue; where nothing may wait, it is made at once. */
function laterBy(delayMs: number, { steps }: CompositionState): number | undefined {
  return delayMs > 0 && steps.mayWait ? steps.now() + delayMs : undefined
}

type Filled = { value: JsonValue; error?: undefined } | { error: CallError }

function inputOf(step: CompositionStep, place: Place, run: CompositionState): Filled {
  try {
    return { value: resolveReferences(step.input ?? {}, rootsOf(run, place.more)) ?? {} }
  } catch (error) {
    return { error: toError(error) }
  }
}

function failureOf({ status, error }: CallResult): CallError {
  return error ?? { code: 'tool_failed', message: `it was ${status}`, retryable: false }
}

/** The outcome of a failed step if the composition continues; else ends it. */
function toFailed(step: CompositionStep, error: CallError, run: CompositionState): StepOutcome {
  const { onError = stepDefaults.onError } = step
  if (onError === 'fail') {
    run.failure ??= { error: toEnd(step, error) }
    throw run.failure.error
  }
  const { code, message } = error
  const output = onError === 'continue' ? null : resolveReferences(onError.output, rootsOf(run))
  return { status: 'failed', output: output ?? null, error: { code, message } }
}

/** Never retryable as a whole: the steps before it would be made a second time. */
function toEnd({ id }: CompositionStep, { code, message, fix, issues }: CallError): ToolError {
  const more = { ...(fix !== undefined && { fix }), ...(issues !== undefined && { issues }) }
  // Only a composition that was itself cancelled is cancelled.
  const own = code === 'cancelled' ? 'tool_failed' : code
  return new ToolError(own, `Step ${id}: ${message}`, { retryable: false, ...more })
}

function toError(error: unknown): CallError {
  if (!isToolError(error)) throw error
  const { code, message, retryable } = error
  return { code, message, retryable }
}
