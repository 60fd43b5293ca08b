import type { CallLog } from '../../core/call-log.ts'
import type { Engine, Statement } from '../engine/engine.ts'
import { toStoreError } from '../engine/store-error.ts'
import { parseCallId } from './call-id.ts'
import { callSelection, toStoredCall } from './read-call-rows.ts'
import type { InputSeal } from '../../core/secrets/input-seal.ts'
import { toStoredText } from './stored-text.ts'

/** Looked up in place of an invalid id, so that the answer takes as long. */
const noCall = '0'.repeat(32)

/** The part of the record that knows completion tokens. A used one stays known, marked as used. */
export function createCallTokens(
  engine: Engine,
  inputs: InputSeal,
): Pick<CallLog, 'findByToken' | 'spendToken'> {
  return {
    async findByToken(callId, tokenHash) {
      try {
        const values = [parseCallId(callId) ?? noCall, toStoredText(tokenHash)]
        const [row] = await engine.run(findByToken, values)
        return row && toStoredCall(row, inputs)
      } catch (error) {
        throw toStoreError(error)
      }
    },
    async spendToken(tenant, callId, tokenHash) {
      try {
        const values = [
          toStoredText(tenant),
          parseCallId(callId) ?? noCall,
          toStoredText(tokenHash),
        ]
        return (await engine.run(spendToken, values)).length > 0
      } catch (error) {
        throw toStoreError(error)
      }
    },
  }
}

const findByToken: Statement = {
  name: 'find_call_by_token',
  text: `select ${callSelection} from calls
    where id = $1::uuid and token_hash is not null and token_hash in ($2, 'used:' || $2)`,
}

const spendToken: Statement = {
  name: 'spend_call_token',
  text: `update calls set token_hash = 'used:' || token_hash
    where tenant = $1 and id = $2::uuid and token_hash = $3 and settled_ms is not null
    returning id::text`,
}
