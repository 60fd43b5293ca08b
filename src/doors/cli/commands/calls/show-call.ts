import type { CallRecord } from '../../../../core/kernel/call.ts'
import type { CribEvent } from '../../../../core/events/event.ts'
import type { CommandContext } from '../../command.ts'
import { exit } from '../../exit-codes.ts'
import type { ByHand } from '../../operations/to-command.ts'
import { toEventLine } from '../../output/event-line.ts'
import { showFacts } from '../../output/facts.ts'
import type { Screen } from '../../output/screen.ts'
import { toSafeLine } from '../../output/safe-text.ts'
import { toLocalTime } from '../../output/time-words.ts'
import { toValueLines } from '../../output/value-lines.ts'
import { usageError } from '../../parse-options.ts'

/** The verbs of `toolcrib calls` that are not operations. */
export const callsByHand: ByHand = {
  actions: {
    show: { usage: ['calls show <call-id>'], isReading: true, run: showCall },
    'to-test': { usage: ['calls to-test <call-id>'], isReading: true, run: showTest },
  },
}

/** A test of a recorded call, as JSON for the `tests` of a definition. */
async function showTest({ connect, words, screen }: CommandContext): Promise<number> {
  const path = `/calls/${encodeURIComponent(findId(words))}/test`
  const { client } = await connect()
  const made = await client.read<{ test: unknown; missing: string[] }>(path)
  if (screen.isJson) screen.json(made)
  else
    for (const line of JSON.stringify(made.test, null, 2).split('\n')) screen.out(toSafeLine(line))
  for (const place of made.missing) {
    screen.err(`! The input has a secret at ${toSafeLine(place)}, which is left out: fill it in.`)
  }
  return exit.ok
}

function findId([, id]: readonly string[]): string {
  if (id !== undefined) return id
  throw usageError('The call id is missing.', 'Write toolcrib calls show <call-id>')
}

/** One call with its decision and its events. */
async function showCall({ connect, words, screen }: CommandContext): Promise<number> {
  const { client } = await connect()
  const call = await client.read<CallRecord>(`/calls/${encodeURIComponent(findId(words))}`)
  const { items: events } = await client.read<{ items: CribEvent[] }>('/events', {
    query: { callId: call.callId, limit: 500 },
  })
  if (screen.isJson) screen.json({ ...call, events })
  else show(screen, call, events)
  return exit.ok
}

function show(screen: Screen, call: CallRecord, events: readonly CribEvent[]): void {
  const { decision, error } = call
  showFacts(screen, `${call.tool} ${call.callId}`, [
    ['status', call.waitingFor === undefined ? call.status : `waiting for ${call.waitingFor}`],
    ['error', error && `${error.code}: ${error.message}`],
    ['by', `${call.principal.kind}:${call.principal.id}`],
    ['tool version', call.toolVersion],
    ['agent', call.agent],
    ['session', call.sessionId],
    ['purpose', call.purpose],
    ['undoes', call.undoes],
    ['runs again', call.rerunOf && toRerunText(call)],
    ['approval', call.approvalId],
    ['requested', toLocalTime(call.requestedAt)],
    ['settled', call.settledAt && toLocalTime(call.settledAt)],
    ['decision', decision && `${decision.verdict} by ${decision.layer}: ${decision.rule}`],
  ])
  showValue(screen, 'input', call.input)
  showValue(screen, 'output', call.output)
  for (const warning of call.warnings ?? []) screen.out(`! ${warning}`)
  screen.out('')
  screen.out(screen.style('bold', 'events'))
  for (const event of events) screen.out(toEventLine(event, screen))
}

function toRerunText({ rerunOf = '', rerunFrom }: CallRecord): string {
  return rerunFrom === undefined ? rerunOf : `${rerunOf} from step ${rerunFrom}`
}

function showValue(screen: Screen, title: string, value: CallRecord['input'] | undefined): void {
  if (value === undefined || value === null) return
  screen.out('')
  screen.out(screen.style('bold', title))
  for (const line of toValueLines(value, screen)) screen.out(`  ${line}`)
}
