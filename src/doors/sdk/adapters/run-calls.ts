import type { Outcome } from '../tool-run.ts'
import type { OpenRun, Ran, WiredCall } from './open-run.ts'

/** Makes all tool calls of an answer at once, and words each result. */
export async function runCalls<Item>(
  open: OpenRun,
  calls: readonly WiredCall[],
  toItem: (call: WiredCall, outcome: Outcome) => Item,
): Promise<Ran<Item>> {
  const outcomes = await Promise.all(calls.map((call) => open.call(call)))
  const ran: Ran<Item> = { items: [], waiting: [] }
  for (const [index, call] of calls.entries()) {
    const outcome = outcomes[index]
    if (outcome === undefined) continue
    if (outcome.kind === 'pending' && outcome.approvalId !== undefined) {
      const { callId, approvalId } = outcome
      const { wireName: tool } = await open.meant(call)
      ran.waiting.push({ toolCallId: call.toolCallId, tool, callId, approvalId })
    } else {
      ran.items.push(toItem(call, outcome))
    }
  }
  return ran
}
