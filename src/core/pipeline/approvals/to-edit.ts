import type { StoredCall } from '../../call-log.ts'
import { ToolError } from '../../kernel/errors.ts'
import type { Admission } from '../admit.ts'
import { redactForRecord } from '../context/prepare-call.ts'
import type { PipelinePorts } from '../ports.ts'
import { isRedacted } from '../../secrets/is-redacted.ts'
import type { JsonValue } from '../../kernel/tool.ts'
import type { DecisionEntry } from '../../approval-store.ts'

/** The edit of an input as it is stored: redacted for the record, and whole where that differs. */
export async function toEdit(
  { facts, request }: Admission,
  { call, edited }: { call: StoredCall; edited: JsonValue },
  ports: PipelinePorts,
): Promise<NonNullable<DecisionEntry['edit']>> {
  // Hidden values that the editor left in place were restored when the call was admitted.
  const whole = facts.input
  if (isRedacted(whole) && !isRedacted(call.rawInput ?? call.input)) throw unknownSecret()
  const { input } = await redactForRecord({ facts: { ...facts, input: edited }, request }, ports)
  const isSame = JSON.stringify(input) === JSON.stringify(whole)
  return isSame ? { input } : { input, rawInput: whole }
}

/** A mark that was moved to where nothing was hidden stands for no value. */
function unknownSecret(): ToolError {
  return new ToolError('invalid_input', 'The edited input holds the mark of a hidden value', {
    fix: 'Leave hidden values where they are, or write the value itself.',
  })
}
