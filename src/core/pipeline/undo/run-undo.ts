import type { StoredCall } from '../../call-log.ts'
import { isToolError, ToolError } from '../../kernel/errors.ts'
import type { JsonValue } from '../../kernel/json.ts'
import type { Tool, ToolBehaviour } from '../../kernel/tool.ts'
import { callNested, type Nesting } from '../context/call-nested.ts'
import { findUndos, plainOutput, toUndoRequest } from './undo-request.ts'

/** The behaviour of a call in which a tool undoes one of its own calls. */
export function toUndoBehaviour(
  behaviour: ToolBehaviour,
  undo: Tool['undo'],
  { original, nesting }: { original: StoredCall; nesting: Nesting },
): ToolBehaviour {
  const parseOutput: ToolBehaviour['parseOutput'] = (value) => ({ ok: true, value })
  if (undo === 'calls') {
    return { ...behaviour, parseOutput, execute: () => undoCalls(original, nesting) }
  }
  if (typeof undo !== 'function') return behaviour
  const output = plainOutput(original.output)
  return { ...behaviour, parseOutput, execute: (input, context) => undo(input, output, context) }
}

/**
 * Undoes the calls that a call made, the last first, each by a call of its own. Stops at the first
 * that cannot be undone, and names what is left.
 */
async function undoCalls(original: StoredCall, nesting: Nesting): Promise<JsonValue> {
  const { calls } = nesting.ports
  const made = await calls.listChildren(original.tenant, original.callId)
  const left = made.filter((call) => hadEffect(call, nesting)).toReversed()
  const undone: string[] = []
  for (const [index, call] of left.entries()) {
    try {
      await undoOne(call, nesting)
      undone.push(call.callId)
    } catch (error) {
      if (!isToolError(error)) throw error
      throw stoppedAt(left.slice(index), { error, undone, all: left.length })
    }
  }
  return { undone }
}

async function undoOne(call: StoredCall, nesting: Nesting): Promise<void> {
  if (await wasUndoneElsewhere(call, nesting)) return
  const request = await toNestedUndo(call, nesting)
  const { tool, input, undoes, idempotencyKey } = request
  await callNested(tool, input, { ...nesting, undoes, idempotencyKey })
}

/**
 * When this undo is resumed, the ones that it has made itself are found by their position, as if they
 * were made again; only those of others are passed over.
 */
async function toNestedUndo(call: StoredCall, nesting: Nesting) {
  const { calls } = nesting.ports
  const own = await calls.listChildren(call.tenant, nesting.facts.callId)
  const earlier = own.find(({ undoes }) => undoes === call.callId)
  if (earlier === undefined) return toUndoRequest(call, nesting.ports)
  const { tool, input, rawInput = input } = earlier
  return { tool, input: rawInput, undoes: call.callId, idempotencyKey: undefined }
}

async function wasUndoneElsewhere(call: StoredCall, nesting: Nesting): Promise<boolean> {
  const { earlier } = await findUndos(call, nesting.ports)
  return earlier?.status === 'completed' && earlier.parentId !== nesting.facts.callId
}

function hadEffect(call: StoredCall, { ports }: Nesting): boolean {
  if (call.purpose !== undefined || call.undoes !== undefined) return false
  const mayHaveHappened = call.status === 'completed' || call.error?.code === 'outcome_unknown'
  if (!mayHaveHappened) return false
  return ports.registry.find(call.tool, call.tenant)?.contract.effect !== 'read'
}

function stoppedAt(
  left: readonly StoredCall[],
  { error, undone, all }: { error: ToolError; undone: readonly string[]; all: number },
): ToolError {
  const issues = left.map(({ callId, tool }, index) => ({
    path: `/${callId}`,
    message: index === 0 ? `${tool} is not undone: ${error.message}` : `${tool} is not undone`,
  }))
  return new ToolError(
    'not_undoable',
    `${undone.length} of ${all} calls are undone; ${left.length} left: ${error.message}`,
    { issues, retryable: error.retryable, cause: error },
  )
}
