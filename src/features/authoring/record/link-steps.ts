import { isRecord } from '../../../core/kernel/json/json-type.ts'
import type { JsonValue } from '../../../core/kernel/json.ts'
import { isDeepEqual } from '../../../core/kernel/json/deep-equal.ts'
import { findByPointer } from '../../../core/kernel/json/json-pointer.ts'
import { referencesIn } from '../../../core/shapes/references-in.ts'
import { namedStep } from '../../../core/compositions/plan-of.ts'
import { DraftInputs } from './draft-inputs.ts'
import { KnownValues } from './known-values.ts'
import { type Constant, linkInput, linkValue } from './link-value.ts'
import type { LinkedStep, RecordedStep, RecordedWork } from './recorded-work.ts'

/** A constant of a step that somebody wants to be asked for. */
export interface MarkedConstant {
  /** The id of the step. */
  step: string
  /** A JSON pointer into its input: `/text`. */
  path: string
  /** Of the new input; by default that of the field. */
  name?: string | undefined
}

/** Recorded steps with references, and what they need from outside. */
export interface LinkedWork {
  steps: LinkedStep[]
  inputs: DraftInputs
  /** By the id of the step. */
  constants: Map<string, Constant[]>
  /** Of the call that made them all. */
  output: JsonValue | undefined
}

/** Finds where each value of each step came from. */
export function linkSteps(
  steps: readonly RecordedStep[],
  work: RecordedWork,
  marks: readonly MarkedConstant[],
): LinkedWork {
  const inputs = new DraftInputs(work.whole)
  const known = new KnownValues()
  const outcomes: { [id: string]: JsonValue } = {}
  known.add({ root: 'input', schema: work.whole?.inputSchema, endedAt: 0 }, inputs.recorded)
  // For the inputs that are added below, which that schema does not have.
  known.add({ root: 'input', schema: undefined, endedAt: 0 }, {})
  const constants = new Map<string, Constant[]>()
  const toLinking = (step: Pick<RecordedStep, 'id' | 'startedAt' | 'inputSchema'>) => ({
    known,
    startedAt: step.startedAt,
    inputSchema: step.inputSchema,
    asked: (pointer: string, value: JsonValue) => askedAs({ step, pointer, value }),
    toInput(wanted: Parameters<DraftInputs['add']>[0]) {
      const name = inputs.add(wanted)
      if (name === undefined) return undefined
      if (!wanted.isHidden) known.extend('input', name, wanted.value)
      return `input.${name}`
    },
    roots: () => ({ input: inputs.recorded, steps: outcomes }),
    onConstant: (constant: Constant) => note(constants, step.id, constant),
  })
  const askedAs = ({ step, pointer, value }: Asked) => {
    const mark = marks.find((one) => isMarked(one, { step, pointer, value }, steps))
    if (mark !== undefined) return mark.name ?? ''
    return isSaid(value, work.said) ? '' : undefined
  }
  const linked = steps.map((step) => {
    const input = linkInput(step.input, toLinking(step))
    const { id, output, isWhole, endedAt } = step
    outcomes[id] = { output, status: 'completed' }
    const schema = step.outputSchema
    if (isWhole) known.add({ root: `steps.${id}.output`, schema, endedAt }, output)
    return { step, input }
  })
  const linking = toLinking({ id: '', startedAt: Infinity, inputSchema: undefined })
  const { output } = work.whole ?? {}
  const place = { keys: [], pointer: '', name: undefined }
  const linkedOutput = output === undefined ? undefined : linkValue(output, place, linking)
  constants.delete('')
  return { steps: linked, inputs, constants, output: linkedOutput }
}

interface Asked {
  step: Pick<RecordedStep, 'id'>
  pointer: string
  value: JsonValue
}

/** The mark of one step holds for all that were given the same value in the same place. */
function isMarked(
  { step: id, path }: MarkedConstant,
  { step, pointer, value }: Asked,
  steps: readonly RecordedStep[],
): boolean {
  if (pointer !== `/input${path}`) return false
  if (step.id === id) return true
  const marked = steps.find((one) => one.id === id)
  const other = steps.find((one) => one.id === step.id)
  if (marked === undefined || marked.tool !== other?.tool) return false
  return isDeepEqual(findByPointer(marked.input, path), value)
}

/** True for a value that people named in a message: next time it will be another. */
function isSaid(value: JsonValue, said: string): boolean {
  if (said === '' || (typeof value !== 'string' && typeof value !== 'number')) return false
  const text = String(value)
  if (text.trim().length < 2) return false
  for (let at = said.indexOf(text); at >= 0; at = said.indexOf(text, at + 1)) {
    if (!isWordAt(said, at - 1) && !isWordAt(said, at + text.length)) return true
  }
  return false
}

function isWordAt(text: string, at: number): boolean {
  return /[\p{L}\p{N}_]/u.test(text[at] ?? '')
}

function note(constants: Map<string, Constant[]>, id: string, constant: Constant): void {
  const known = constants.get(id) ?? []
  if (!known.some(({ pointer }) => pointer === constant.pointer)) known.push(constant)
  constants.set(id, known)
}

/**
 * The steps that the result rests on: a read whose result nothing uses was only a look. Those of one
 * loop belong together.
 */
export function usedSteps(
  loops: readonly (readonly LinkedStep[])[],
  { steps, output }: Pick<LinkedWork, 'steps' | 'output'>,
  answer: string,
): RecordedStep[] {
  const used = new Set<string>(namedIn(output))
  const last = steps.at(-1)?.step.id
  const isUsed = ({ step }: LinkedStep) =>
    step.effect !== 'read' ||
    step.id === last ||
    used.has(step.id) ||
    isInAnswer(step.output, answer)
  const kept = loops.toReversed().filter((members) => {
    if (!members.some(isUsed)) return false
    for (const { input } of members) for (const name of namedIn(input)) used.add(name)
    return true
  })
  return kept.toReversed().flatMap((members) => members.map(({ step }) => step))
}

function namedIn(value: JsonValue | undefined): string[] {
  return referencesIn(value).flatMap((reference) => namedStep(reference) ?? [])
}

/** How much of an output is looked at: an answer names what comes first. */
const maxAnswerValues = 2000

/** True if the agent mentioned part of it. */
function isInAnswer(output: JsonValue, answer: string): boolean {
  if (answer === '') return false
  let left = maxAnswerValues
  const tells = (value: unknown): boolean => {
    left -= 1
    if (left < 0) return false
    if (typeof value === 'string' || typeof value === 'number') {
      return String(value).length >= 2 && isSaid(value, answer)
    }
    if (Array.isArray(value)) return value.some(tells)
    return isRecord(value) && Object.values(value).some(tells)
  }
  return tells(output)
}
