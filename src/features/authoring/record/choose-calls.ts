import { isSettled } from '../../../core/call-state.ts'
import type { CallRecord } from '../../../core/kernel/call.ts'
import { isDeepEqual, toCanonicalText } from '../../../core/kernel/json/deep-equal.ts'
import { isRecord } from '../../../core/kernel/json/json-type.ts'
import type { JsonValue } from '../../../core/kernel/json.ts'
import type { KnownTools } from '../../../core/sources/known-tools.ts'
import { createKeys } from '../curl/draft-names.ts'
import type { RecordedStep } from './recorded-work.ts'

/** The calls that led to the result, and what was left out. */
export interface ChosenCalls {
  steps: RecordedStep[]
  notes: string[]
}

/**
 * Drops calls that did nothing for the result: failed and refused ones, previews, what was undone,
 * and reads that were made twice. The same call that failed and then succeeded becomes a step with
 * a retry.
 */
export function chooseCalls(calls: readonly CallRecord[], known: KnownTools): ChosenCalls {
  const notes = new Map<string, string[]>()
  const leaveOut = (why: string, { tool }: CallRecord) =>
    void notes.set(why, [...(notes.get(why) ?? []), tool])
  const undone = new Set(calls.filter(hasCompleted).flatMap(({ undoes }) => undoes ?? []))
  const kept: CallRecord[] = []
  const failures: CallRecord[] = []
  for (const call of calls) {
    const why = whyNot(call, undone)
    if (why !== undefined) leaveOut(why, call)
    else if (isRepeated(call, kept, known)) leaveOut('made twice, with the same result', call)
    else kept.push(call)
    if (call.status === 'failed' && call.error?.retryable === true) failures.push(call)
  }
  const keyFor = createKeys()
  const steps = kept.map((call) => toStep(call, { keyFor, known, failures }))
  const toNote = ([why, tools]: [string, string[]]) => `Left out, ${why}: ${tools.join(', ')}.`
  return { steps, notes: [...notes].map(toNote) }
}

function hasCompleted({ status }: CallRecord): boolean {
  return status === 'completed'
}

function whyNot(call: CallRecord, undone: ReadonlySet<string>): string | undefined {
  if (call.purpose !== undefined) return 'only tried out'
  if (!isSettled(call.status)) return 'not finished'
  if (!hasCompleted(call)) return call.status === 'denied' ? 'refused' : call.status
  if (call.undoes !== undefined || undone.has(call.callId)) return 'undone'
  return isRecord(call.input) ? undefined : 'without its input on record'
}

/** Read again without a change in between that anybody saw. An effect that was made twice happened twice. */
function isRepeated(call: CallRecord, kept: readonly CallRecord[], known: KnownTools): boolean {
  if (known.find(call.tool)?.effect !== 'read') return false
  return kept.some(
    ({ tool, input, output }) =>
      tool === call.tool && isDeepEqual(input, call.input) && isDeepEqual(output, call.output),
  )
}

interface ToStep {
  keyFor(wanted: string): string
  known: KnownTools
  failures: readonly CallRecord[]
}

function toStep(call: CallRecord, { keyFor, known, failures }: ToStep): RecordedStep {
  const { tool, output = null, artifact, startedAt, requestedAt, settledAt = requestedAt } = call
  const contract = known.find(tool)
  const asked = toCanonicalText([tool, call.input])
  const before = failures.filter(
    (failed) =>
      failed.requestedAt <= requestedAt && toCanonicalText([failed.tool, failed.input]) === asked,
  )
  return {
    id: keyFor(tool.split(/[.:/]/).at(-1) ?? tool),
    tool,
    input: call.input as { [key: string]: JsonValue },
    output,
    isWhole: artifact === undefined,
    effect: contract?.effect ?? 'destructive',
    inputSchema: contract?.inputSchema,
    outputSchema: contract?.outputSchema,
    startedAt: Date.parse(startedAt ?? requestedAt),
    endedAt: Date.parse(settledAt),
    retries: Math.min(before.length, 10),
  }
}
