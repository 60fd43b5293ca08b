import type { EffectLine, Evidence, StoredCall, ToolTraits, Violation } from '../evidence.ts'

/**
 * What really happened agrees with the record: nothing without one, nothing twice that must not be,
 * nothing that the record denies, and everything that it claims.
 */
export function checkEffects({ effects, calls, events, tools }: Evidence): Violation[] {
  const byCall = Map.groupBy(effects, ({ callId }) => callId)
  const starts = countStarts(events)
  const known = new Set(calls.map(({ callId }) => callId))
  const unrecorded = [...byCall]
    .filter(([callId]) => !known.has(callId))
    .map(([callId, lines]) => ({
      rule: 'effect without a record',
      subject: callId,
      message: 'The tool ran and there is no record of the call',
      context: lines,
    }))
  const byRecord = calls.flatMap((call) => {
    const traits = tools[call.tool]
    if (traits === undefined) return []
    const lines = byCall.get(call.callId) ?? []
    return checkCall({ call, traits, lines, starts: starts.get(call.callId) ?? 0 })
  })
  return [...unrecorded, ...byRecord, ...checkOperations({ effects, calls, tools })]
}

function countStarts(events: Evidence['events']): Map<string, number> {
  const starts = new Map<string, number>()
  for (const { type, stream } of events) {
    if (type === 'call.started') starts.set(stream, (starts.get(stream) ?? 0) + 1)
  }
  return starts
}

interface CallCase {
  call: StoredCall
  traits: ToolTraits
  lines: readonly EffectLine[]
  /** How often the log says that it began. */
  starts: number
}

function checkCall(at: CallCase): Violation[] {
  const { call, traits, lines, starts } = at
  const begins = lines.filter(({ what }) => what === 'begin').length
  const hasHappened = lines.some(({ what }) => what === 'effect')
  const findings: [boolean, string, string][] = [
    [
      !traits.isRepeatable && begins > 1 && !isOutcomeUnknown(call),
      'effect twice',
      `It must run once and began ${begins} times`,
    ],
    [
      // A retry on the spot is no change of state, and is told as far as the log can be reached.
      begins > starts && traits.retriesOnTheSpot !== true,
      'unlogged start',
      `It began ${begins} times, the log says ${starts}`,
    ],
    [
      traits.hasEffect && call.status === 'completed' && !hasHappened,
      'effect missing',
      'The call completed and nothing happened',
    ],
    [
      isOfEarlierRun(at),
      'fenced worker settled',
      'The recorded output is not of the run that began last',
    ],
    [
      hasHappened && isDenial(call, traits),
      'denied effect',
      `It happened, and the record says ${call.error?.code ?? call.status}`,
    ],
  ]
  return findings
    .filter(([isFound]) => isFound)
    .map(([, rule, message]) => ({ rule, subject: call.callId, message, context: at }))
}

/**
 * Lines stand in the order in which they were written. Once a later run has begun, an earlier one is of
 * a worker that was given up, and its end must not count. A worker that does not know that yet may try
 * a repeatable tool on the spot once more, so there only its own runs are compared.
 */
function isOfEarlierRun({ call, traits, lines }: CallCase): boolean {
  const { run } = (call.output ?? {}) as { run?: string }
  const own = lines.find((line) => line.run === run)
  if (own === undefined) return false
  const last = lines.findLast(
    ({ what, pid }) => what === 'begin' && (!traits.retriesOnTheSpot || pid === own.pid),
  )
  return last?.run !== run
}

/** An end that tells its reader that nothing happened. */
function isDenial({ status, error }: StoredCall, { isRepeatable }: ToolTraits): boolean {
  return status === 'denied' || (!isRepeatable && error?.code === 'interrupted')
}

function isOutcomeUnknown({ error }: StoredCall): boolean {
  return error?.code === 'outcome_unknown'
}

/** A client repeats a request only under one key, or when it was told that there is no call: also across calls it happens once. */
function checkOperations({
  effects,
  calls,
  tools,
}: Pick<Evidence, 'effects' | 'calls' | 'tools'>): Violation[] {
  const unknown = new Set(calls.filter(isOutcomeUnknown).map(({ callId }) => callId))
  const happened = effects.filter(
    ({ what, tool }) => what === 'effect' && tools[tool]?.isRepeatable === false,
  )
  return [...Map.groupBy(happened, ({ operation }) => operation)]
    .filter(([, lines]) => new Set(lines.map(({ callId }) => callId)).size > 1)
    .filter(([, lines]) => !lines.some(({ callId }) => unknown.has(callId)))
    .map(([operation, lines]) => ({
      rule: 'effect twice',
      subject: operation,
      message: 'What a client wanted once was done by two calls',
      context: lines,
    }))
}
