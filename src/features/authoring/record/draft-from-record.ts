import type { CompositionSpec, CompositionStep } from '../../../core/compositions/spec.ts'
import { compositionBounds } from '../../../core/compositions/spec.ts'
import { ToolError } from '../../../core/kernel/errors.ts'
import type { Finding } from '../../../core/kernel/finding.ts'
import { isRecord } from '../../../core/kernel/json/json-type.ts'
import type { JsonValue } from '../../../core/kernel/json.ts'
import type { KnownTools } from '../../../core/sources/known-tools.ts'
import { referencesIn } from '../../../core/shapes/references-in.ts'
import { namedStep } from '../../../core/compositions/plan-of.ts'
import { resolveReferences } from '../../../core/shapes/resolve-references.ts'
import type { ToolDocument } from '../model/tool-document.ts'
import { chooseCalls } from './choose-calls.ts'
import { type FoldedStep, foldLoops, renameAll } from './fold-loops.ts'
import { type LinkedWork, linkSteps, type MarkedConstant, usedSteps } from './link-steps.ts'
import { orderSteps, type TimedStep } from './order-steps.ts'
import type { RecordedStep, RecordedWork } from './recorded-work.ts'
import { type RecordedOutcome, type Replay, replayRecord } from './replay-record.ts'
import { type NameRules, toDocument } from './to-document.ts'
import { escapeReferences } from './value-path.ts'

/** A value that stays as it was, and may be asked for instead. */
export interface DraftConstant {
  step: string
  tool: string
  /** A JSON pointer into the input of the step. */
  path: string
  value: string | number | boolean
}

/** A composition made of calls on record. */
export interface RecordDraft {
  document: ToolDocument<CompositionSpec>
  notes: string[]
  findings: Finding[]
  constants: DraftConstant[]
  /** How many inputs were compared with the record. */
  replayed: number
}

/** How a draft is made of a record. */
export interface RecordOptions extends NameRules {
  known: KnownTools
  marks?: readonly MarkedConstant[]
}

/** More would be a list that nobody reads. */
const maxConstants = 300

/**
 * A composition that makes the same calls: values that came from earlier ones become references, those
 * that people gave become inputs. It is replayed against the record; where it would differ, the
 * recorded value stays.
 */
export async function draftFromRecord(
  work: RecordedWork,
  { known, marks = [], ...names }: RecordOptions,
): Promise<RecordDraft> {
  const { steps, notes } = chooseCalls(work.calls, known)
  assertAny(steps, work)
  const all = linkSteps(steps, work, marks)
  const loops = foldAll(all).map(({ members }) => members)
  const used = usedSteps(loops, all, work.answer)
  const unused = steps.filter((step) => !used.includes(step))
  if (unused.length > 0) {
    const names = unused.map(({ tool }) => tool).join(', ')
    notes.push(`Left out, because nothing uses the result: ${names}.`)
  }
  assertNotTooMany(used)
  const linked = linkSteps(used, work, marks)
  const { spec, replay, mended } = await toReplayedSpec(linked)
  const constants = toConstants(linked, spec)
  const document = toDocument({ work, spec, linked, replay, names })
  return {
    document,
    notes: [...notes, ...toInputNotes(linked)],
    findings: [...toFindings(linked, spec), ...mended],
    constants,
    replayed: replay.compared,
  }
}

function assertAny(steps: readonly RecordedStep[], { title }: RecordedWork): void {
  if (steps.length > 0) return
  throw new ToolError('invalid_request', `No call of ${title} can be repeated`, {
    fix: 'Choose a record with at least one call that completed.',
  })
}

function assertNotTooMany({ length }: readonly RecordedStep[]): void {
  const { maxSteps } = compositionBounds
  if (length <= maxSteps) return
  throw new ToolError(
    'invalid_request',
    `This record has ${length} calls; a composition has at most ${maxSteps} steps`,
    { fix: 'Choose one run of the conversation, or one call.' },
  )
}

interface ReplayedSpec {
  spec: CompositionSpec
  replay: Replay
  /** Values that stayed constants, because the reference gave something else. */
  mended: Finding[]
}

/** With loops if they replay; steps that don't keep what they were given. */
async function toReplayedSpec(linked: LinkedWork): Promise<ReplayedSpec> {
  const folded = foldAll(linked)
  const isLooped = folded.some(({ each }) => each !== undefined)
  const looped = isLooped ? await replay(folded, linked) : undefined
  if (looped !== undefined && looped.mended.length === 0) return looped
  return replay(
    linked.steps.map((one) => ({ members: [one], input: one.input })),
    linked,
  )
}

function foldAll(linked: LinkedWork): FoldedStep[] {
  return foldLoops(linked.steps, (path) => lengthOf(path, linked))
}

async function replay(folded: readonly FoldedStep[], linked: LinkedWork): Promise<ReplayedSpec> {
  const spec = toSpec(folded, linked)
  const outcomes = toOutcomes(folded)
  const first = await replayRecord(spec, linked.inputs.recorded, outcomes)
  const wrong = new Set(first.differences.map(({ key }) => key.replace(/\/.*$/s, '')))
  if (wrong.size === 0) return { spec, replay: first, mended: [] }
  const mended = spec.steps.map((step) =>
    wrong.has(step.id) ? keepRecorded(step, outcomes.get(step.id)) : step,
  )
  const mendedSpec = { ...spec, steps: mended }
  const findings = [...wrong].map((id): Finding => {
    const index = mended.findIndex((step) => step.id === id)
    const message = 'keeps the recorded values: with references it would be given others'
    return { path: `/spec/steps/${index}/input`, message, severity: 'warning' }
  })
  const again = await replayRecord(mendedSpec, linked.inputs.recorded, outcomes)
  return { spec: mendedSpec, replay: again, mended: findings }
}

/** Hidden values stay references. */
function keepRecorded(
  step: CompositionStep,
  outcome: RecordedOutcome | undefined,
): CompositionStep {
  const recorded = outcome?.input
  if (!isRecord(recorded)) return step
  const input = Object.entries(step.input ?? {}).map(([key, value]) => {
    const refersToInput = referencesIn(value).some(({ root }) => root === 'input')
    return [key, refersToInput ? value : toLiteral(recorded[key] ?? null)] as const
  })
  return { ...step, input: Object.fromEntries(input) }
}

function toLiteral(value: JsonValue): JsonValue {
  if (typeof value === 'string') return escapeReferences(value)
  if (Array.isArray(value)) return value.map(toLiteral)
  if (!isRecord(value)) return value
  const entries = Object.entries(value)
  return Object.fromEntries(entries.map(([key, member]) => [key, toLiteral(member)]))
}

function toSpec(folded: readonly FoldedStep[], linked: LinkedWork): CompositionSpec {
  const steps = orderSteps(folded.map(toTimed))
  const output = toOutput(steps, folded, linked)
  return { kind: 'composition', steps, ...(output !== undefined && { output }) }
}

function toTimed({ members, each, input }: FoldedStep): TimedStep {
  const all = members.map(({ step }) => step)
  const [first] = all
  if (first === undefined) throw new ToolError('internal', 'A step without a call')
  const { id, tool, effect, startedAt, retries } = first
  const wasInOrder = all.every((one, index) => (all[index - 1]?.endedAt ?? 0) <= one.startedAt)
  const step: CompositionStep = {
    id,
    tool,
    ...(Object.keys(input).length > 0 && { input }),
    ...(each !== undefined && { each: `{{${each}}}` }),
    ...(each !== undefined && effect !== 'read' && wasInOrder && { atOnce: 1 }),
    ...(retries > 0 && { retry: { times: retries } }),
  }
  return { step, effect, startedAt, endedAt: Math.max(...all.map(({ endedAt }) => endedAt)) }
}

/** That of the call, as far as steps gave it; else that of the steps whose output nothing reads. */
function toOutput(
  steps: readonly CompositionStep[],
  folded: readonly FoldedStep[],
  { output }: LinkedWork,
): JsonValue | undefined {
  const last = steps.at(-1)?.id ?? ''
  if (output !== undefined && referencesIn(output).length > 0) {
    const renamed = renameAll(output, folded)
    return renamed === `{{steps.${last}.output}}` ? undefined : renamed
  }
  const read = new Set(
    steps.flatMap(({ input, each }) =>
      referencesIn([input ?? {}, each ?? '']).flatMap((reference) => namedStep(reference) ?? []),
    ),
  )
  const ends = steps.filter(({ id }) => !read.has(id)).map(({ id }) => id)
  if (ends.length < 2) return undefined
  return Object.fromEntries(ends.map((id) => [id, `{{steps.${id}.output}}`]))
}

function toOutcomes(folded: readonly FoldedStep[]): Map<string, RecordedOutcome> {
  const outcomes = folded.flatMap(({ members, each }) =>
    members.map(({ step }, index): [string, RecordedOutcome] => {
      const first = members[0]?.step.id ?? ''
      const { input, output } = step
      return [each === undefined ? step.id : `${first}/${index}`, { input, output }]
    }),
  )
  return new Map(outcomes)
}

function lengthOf(path: string, { inputs, steps }: LinkedWork): number | undefined {
  const outputs = steps.map(({ step: { id, output } }) => [id, { output }] as const)
  const roots = { input: inputs.recorded, steps: Object.fromEntries(outputs) }
  const list = resolveReferences(`{{${path}}}`, roots)
  return Array.isArray(list) ? list.length : undefined
}

function toConstants({ constants }: LinkedWork, { steps }: CompositionSpec): DraftConstant[] {
  const all = steps.flatMap(({ id, tool }) =>
    (constants.get(id) ?? []).map(({ pointer, value }) => {
      return { step: id, tool, path: pointer.slice('/input'.length), value }
    }),
  )
  return all.slice(0, maxConstants)
}

function toFindings({ constants }: LinkedWork, { steps }: CompositionSpec): Finding[] {
  return steps.flatMap(({ id }, index) =>
    (constants.get(id) ?? []).flatMap(({ pointer, isAmbiguous }): Finding[] => {
      if (!isAmbiguous) return []
      const message = 'stays as recorded: several values of earlier steps are equal to it'
      const fix = 'Choose one of them as a reference, or make it an input.'
      return [{ path: `/spec/steps/${index}${pointer}`, message, fix, severity: 'warning' }]
    }),
  )
}

function toInputNotes({ inputs }: LinkedWork): string[] {
  const { hidden } = inputs
  if (hidden.length === 0) return []
  return [`Asked for, because the record hides the value: ${hidden.join(', ')}.`]
}
