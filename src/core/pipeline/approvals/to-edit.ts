import type { StoredCall } from '../../call-log.ts'
import { ToolError } from '../../kernel/errors.ts'
import type { Admission } from '../admit.ts'
import { redactForRecord } from '../context/prepare-call.ts'
import type { PipelinePorts } from '../ports.ts'
import { isRedacted } from '../../secrets/is-redacted.ts'
import type { JsonValue } from '../../kernel/tool.ts'
import type { DecisionEntry } from '../../approval-store.ts'

/** An edited input as it is stored: redacted for the record, and in full if that differs. */
export async function toEdit(
  { facts, request }: Admission,
  { call, edited }: { call: StoredCall; edited: JsonValue },
  ports: PipelinePorts,
): Promise<NonNullable<DecisionEntry['edit']>> {
  // Hidden values that the editor left unchanged were restored when the call was admitted.
  const whole = facts.input
  if (isRedacted(whole) && !isRedacted(call.rawInput ?? call.input)) throw unknownSecret()
  const { input } = await redactForRecord({ facts: { ...facts, input: edited }, request }, ports)
  const isSame = JSON.stringify(input) === JSON.stringify(whole)
  return isSame ? { input } : { input, rawInput: whole }
}

/** A placeholder moved to a place where nothing was hidden has no value. */
function unknownSecret(): ToolError {
  return new ToolError(
    'invalid_input',
    'The edited input contains the placeholder of a hidden value',
    {
      fix: 'Leave hidden values in place, or enter the value itself.',
    },
  )
}
