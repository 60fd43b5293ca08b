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

function checkCall({ call, traits, lines, starts }: CallCase): Violation[] {
  const begins = lines.filter(({ what }) => what === 'begin').length
  const happened = lines.length - begins
  const found: Violation[] = []
  const add = (rule: string, message: string) =>
    found.push({ rule, subject: call.callId, message, context: { call, lines, starts } })
  // It takes effect at most once for each time that it begins.
  if (!traits.isRepeatable && begins > 1 && !isOutcomeUnknown(call)) {
    add(
      'effect twice',
      `It must run once: it began ${begins} times and took effect ${happened} times`,
    )
  }
  if (begins > starts) add('unlogged start', `It began ${begins} times, the log says ${starts}`)
  if (traits.hasEffect && call.status === 'completed' && happened === 0) {
    add('effect missing', 'The call completed and nothing happened')
  }
  if (happened > 0 && isDenial(call, traits)) {
    add('denied effect', `It happened, and the record says ${call.error?.code ?? call.status}`)
  }
  return found
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
