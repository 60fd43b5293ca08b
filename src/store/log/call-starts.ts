import type { CallLog } from '../../core/call-log.ts'
import type { Engine, Statement, TextRow } from '../engine/engine.ts'
import { toStoreError } from '../engine/store-error.ts'
import { requireCallId } from './call-id.ts'
import type { CallChange } from './call-rows.ts'
import { toStoredText } from './stored-text.ts'

/**
 * Starts calls on this node. A start is not repeated, so one that was written and only its answer
 * lost has to be recognised when it is tried again: else nobody would run the call, and no other node
 * would take it from a node that lives.
 */
export function createCallStarts(
  engine: Engine,
  node: string,
  change: (entry: CallChange) => Promise<TextRow | undefined>,
): CallLog['start'] {
  /** Calls whose last start failed, perhaps after it was written. */
  const unsure = new Set<string>()

  const attemptStart = async (entry: CallChange) => {
    const row = await change(entry)
    if (row !== undefined || !unsure.has(entry.callId)) return row
    const id = [toStoredText(entry.tenant), requireCallId(entry.callId)]
    const [own] = await engine.run(findOwnStart, [...id, node, (entry.attempt ?? 0) + 1])
    // Of several who ask, one runs it.
    return unsure.delete(entry.callId) ? own : undefined
  }
  return async (tenant, callId, begin) => {
    const atMs = begin.events[0]?.at ?? engine.now()
    try {
      const row = await attemptStart({ ...begin, kind: 'start', tenant, callId, atMs })
      unsure.delete(callId)
      return row && { attempt: Number(row[1]) }
    } catch (error) {
      unsure.add(callId)
      throw toStoreError(error)
    }
  }
}

const findOwnStart: Statement = {
  name: 'find_own_start',
  text: `select id::text, attempt::text from calls
    where tenant = $1 and id = $2::uuid and node = $3 and attempt = $4::int and status = 'running'`,
}
