import type { OfferedTool } from '../../../core/offer/tool-offer.ts'
import type { Outcome } from '../tool-run.ts'
import { toAsked } from './to-asked.ts'
import { isWaiting } from './is-waiting.ts'
import type { OpenRun, WiredCall } from './open-run.ts'

/** The value a graph is interrupted with, for the code that resumes it. */
export interface ApprovalInterrupt {
  kind: 'approval'
  approvalId: string
  callId: string
  tool: string
  input: unknown
}

/** `interrupt` of LangGraph: stops the graph, or gives what it was resumed with. */
export type Interrupt = (value: ApprovalInterrupt) => unknown

/** A call in the place of a graph where it is made: calls of one place share its answers. */
export interface PlacedCall {
  offered: OfferedTool
  call: WiredCall
  place: string
}

/** Shared state of calls from one place of a graph. */
interface Place {
  calls: Map<string, WiredCall>
  /** Those that wait though their tools were not known to ask. */
  unlisted: Set<string>
  /** Answers that were given to one call and name the approval of another, by that. */
  passedOn: Map<unknown, unknown>
}

/** Makes calls in a graph, and stops it while one waits for a person. */
export function createGraphCalls(open: OpenRun, interrupt: Interrupt) {
  const places = new Map<string, Place>()

  /**
   * A graph runs the tool from its beginning when it is resumed: the call is found again by its key,
   * and `interrupt` then gives what it was resumed with, one answer after the other, instead of
   * stopping. While nothing is decided it stops again.
   */
  async function callOrStop({ offered, call, place }: PlacedCall): Promise<Outcome> {
    const made = offered.mayAsk ? undefined : await open.call(call)
    // Else it was listed before it had to ask, or has been asked about before it had not to.
    if (made !== undefined && !isWaiting(made)) return made
    // Before a tool that may ask is waited for, so that all calls of a place know of each other.
    const here = places.get(place) ?? emptyPlace()
    here.calls.set(call.toolCallId, call)
    if (made !== undefined) here.unlisted.add(call.toolCallId)
    places.set(place, here)
    try {
      let outcome = made ?? (await open.ask(call))
      while (isWaiting(outcome)) {
        const { approvalId, callId } = outcome
        const asked = await toAsked(open, call, outcome)
        const said = takeAnswer(here, approvalId, () =>
          interrupt({ kind: 'approval', approvalId, callId, ...asked }),
        )
        const isAlone = await isOnlyAsker(open, call, here)
        outcome = await open.answer(call, toSaid(said, { approvalId, isAlone }))
      }
    } finally {
      places.delete(place)
    }
    return open.call(call)
  }
  return callOrStop
}

function emptyPlace(): Place {
  return { calls: new Map(), unlisted: new Set(), passedOn: new Map() }
}

/** LangGraph gives the answers of one place to whichever call there asks first: it passes them on. */
function takeAnswer({ passedOn }: Place, approvalId: string, ask: () => unknown): unknown {
  const known = passedOn.get(approvalId)
  if (passedOn.delete(approvalId)) return known
  const said = ask()
  if (typeof said === 'object' && said !== null && 'approvalId' in said) {
    if (said.approvalId !== approvalId) passedOn.set(said.approvalId, said)
  }
  return said
}

/**
 * No other call of its place is of a tool that may ask. Which of them have asked would not do: an
 * answer that counted for none is given again when the others have been decided elsewhere.
 */
async function isOnlyAsker(
  open: OpenRun,
  { toolCallId }: WiredCall,
  { calls, unlisted }: Place,
): Promise<boolean> {
  const others = [...calls.values()].filter((other) => other.toolCallId !== toolCallId)
  if (others.some((other) => unlisted.has(other.toolCallId))) return false
  const meant = await Promise.all(others.map((other) => open.meant(other)))
  return meant.every(({ mayAsk }) => !mayAsk)
}

/** An answer counts for the approval it names; one that names none, where only this can be meant. */
function toSaid(
  value: unknown,
  { approvalId, isAlone }: { approvalId: string; isAlone: boolean },
): { approved: boolean; reason?: string } | undefined {
  if (typeof value !== 'object' || value === null || !('approved' in value)) return undefined
  const isMeant = 'approvalId' in value ? value.approvalId === approvalId : isAlone
  if (!isMeant) return undefined
  const reason =
    'reason' in value && typeof value.reason === 'string' ? { reason: value.reason } : {}
  return { approved: value.approved === true, ...reason }
}
