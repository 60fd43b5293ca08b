import type { CallError, CallResult } from '../kernel/call.ts'
import type { JsonValue } from '../kernel/json.ts'
import { resolveReferences } from '../shapes/resolve-references.ts'
import type { StepOutcome } from './composition-state.ts'
import { planOf } from './plan-of.ts'
import type { CompositionSpec, CompositionStep } from './spec.ts'

/**
 * The model: each step at its turn, all calls answered at once. An answer depends on the
 * tool, the key and the input alone.
 */
export interface PlayedComposition {
  outcomes: Map<string, StepOutcome>
  /** The keys that each step uses, with the input of each. */
  calls: Map<string, Map<string, JsonValue>>
  /** Steps whose failure ends the composition. */
  fatal: Set<string>
}

type Fields = Readonly<Record<string, JsonValue>>

/** The answer of a tool, if nobody is asked. */
export function answer(tool: string, key: string, input: JsonValue): CallResult {
  const n = [...key].reduce((sum, character) => sum + character.charCodeAt(0), 0) % 4
  const isAgain = key.includes('~')
  if (tool.endsWith('.ok') || (tool.endsWith('.flaky') && isAgain)) {
    return { status: 'completed', output: { n, list: [n, 'x'].slice(0, n), input } }
  }
  const code = tool.endsWith('.denied') ? 'denied_by_policy' : 'tool_failed'
  return {
    status: 'failed',
    error: { code, message: `${key} said no`, retryable: false } as CallError,
  }
}

/** Plays a composition through. */
export function playThrough(spec: CompositionSpec): PlayedComposition {
  const model: PlayedComposition = { outcomes: new Map(), calls: new Map(), fatal: new Set() }
  const plan = planOf(spec)
  const left = new Set(spec.steps)
  for (let before = -1; left.size !== before;) {
    before = left.size
    for (const step of left) {
      const waits = [...(plan.get(step.id) ?? [])]
      if (!waits.every((id) => model.outcomes.has(id))) continue
      left.delete(step)
      playStep(step, model)
    }
  }
  return model
}

/** No outcome: it failed, and the composition with it. */
function playStep(step: CompositionStep, model: PlayedComposition): void {
  const made = new Map<string, JsonValue>()
  model.calls.set(step.id, made)
  const end = (outcome: StepOutcome) => void model.outcomes.set(step.id, outcome)
  if (!holds(step, model)) return end({ status: 'skipped', output: null })
  const items = step.each === undefined ? [undefined] : fill(step.each, model, {})
  if (!Array.isArray(items ?? [])) return endFailed(step, listError(step), model)
  const outcomes = ((items ?? []) as (JsonValue | undefined)[]).map((item, index) =>
    playPlace(step, { model, made, ...(item !== undefined && { item, index }) }),
  )
  if (outcomes.includes(undefined)) return void model.fatal.add(step.id)
  const all = outcomes as StepOutcome[]
  if (step.each === undefined) return end(all[0] as StepOutcome)
  const failed = all.find(({ status }) => status === 'failed')
  return end({
    status: failed === undefined ? 'completed' : 'failed',
    output: all.map(({ output }) => output),
    ...(failed?.error && { error: failed.error }),
  })
}

function listError(step: CompositionStep) {
  const message = `each needs a list, and ${JSON.stringify(step.each)} is not one`
  return { code: 'invalid_input', message }
}

function endFailed(
  step: CompositionStep,
  error: { code: string; message: string },
  model: PlayedComposition,
) {
  const outcome = toOutcome(step, error, model)
  if (outcome === undefined) model.fatal.add(step.id)
  else model.outcomes.set(step.id, outcome)
}

interface ModelPlace {
  model: PlayedComposition
  made: Map<string, JsonValue>
  item?: JsonValue
  index?: number
}

function playPlace(step: CompositionStep, place: ModelPlace): StepOutcome | undefined {
  const { model, item = null, index } = place
  const [base, fields]: [string, Fields] =
    index === undefined ? [step.id, {}] : [`${step.id}/${index}`, { item, index }]
  const input = fill(step.input ?? {}, model, fields) ?? {}
  const { max, until } = step.repeat ?? { max: 1, until: { value: 0 } }
  for (let round = 0; ; round += 1) {
    const key = step.repeat === undefined ? base : `${base}.${round}`
    const result = tryPlace(step, { key, input }, place)
    if (result.error) return toOutcome(step, result.error, model)
    const output = result.output as { n: number }
    if (round + 1 >= max || output.n >= (until as { value: number }).value)
      return { status: 'completed', output }
  }
}

function tryPlace(
  { tool, retry }: CompositionStep,
  { key, input }: { key: string; input: JsonValue },
  { made }: ModelPlace,
): CallResult {
  for (let attempt = 0; ; attempt += 1) {
    const tryKey = attempt === 0 ? key : `${key}~${attempt}`
    made.set(tryKey, input)
    const result = answer(tool, tryKey, input)
    if (result.error?.code !== 'tool_failed' || attempt >= (retry?.times ?? 0)) return result
  }
}

function toOutcome(
  step: CompositionStep,
  { code, message }: { code: string; message: string },
  model: PlayedComposition,
): StepOutcome | undefined {
  if (step.onError === undefined || step.onError === 'fail') return undefined
  const output = step.onError === 'continue' ? null : fill(step.onError.output, model, {})
  return { status: 'failed', output: output ?? null, error: { code, message } }
}

function fill(
  value: JsonValue,
  { outcomes }: PlayedComposition,
  fields: Fields,
): JsonValue | undefined {
  return resolveReferences(value, { input: {}, steps: Object.fromEntries(outcomes), ...fields })
}

function holds({ when }: CompositionStep, model: PlayedComposition): boolean {
  if (when === undefined || !('field' in when)) return true
  const found = fill(`{{${when.field}}}`, model, {})
  if (when.operator === 'eq') return found === when.value
  return typeof found === 'number' && found >= Number(when.value)
}
