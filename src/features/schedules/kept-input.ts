import { isSamePrincipal } from '../../core/kernel/caller.ts'
import { restoreRedacted } from '../../core/approvals/restore-redacted.ts'
import type { Caller } from '../../core/kernel/call.ts'
import type { JsonValue } from '../../core/kernel/json.ts'
import { toJsonValue } from '../../core/pipeline/output/to-json-value.ts'
import type { Registry } from '../../core/registry.ts'
import type { StoredSchedule } from './model.ts'
import { hideSecretFields } from '../../core/secrets/secret-fields.ts'
import type { InputSeal } from '../../core/secrets/input-seal.ts'

/** The input of a schedule as it is stored: secret fields are shown as marks, and sealed beside them. */
export function keepInput(
  { id, tenant, tool, input }: Pick<StoredSchedule, 'id' | 'tenant' | 'tool' | 'input'>,
  { pipeline, inputs }: { pipeline: { registry: Registry }; inputs: InputSeal },
): Pick<StoredSchedule, 'input' | 'sealedInput'> {
  const contract = pipeline.registry.find(tool, tenant)?.contract
  const shown = contract === undefined ? input : hideSecretFields(contract, input).shown
  return { input: shown, sealedInput: shown === input ? undefined : inputs.seal(id, input) }
}

/**
 * The meaning of an edit: a placeholder that is sent back keeps the value it hides. Only for the
 * person who entered that value: anyone else could send it to a place of their choice.
 */
export function restoreInput(
  seen: StoredSchedule,
  given: unknown,
  { caller, inputs }: { caller: Caller; inputs: InputSeal },
): JsonValue {
  const input = given === undefined ? seen.input : toJsonValue(given).value
  const isOwn = isSamePrincipal(seen.authority.principal, caller.principal)
  if (seen.sealedInput === undefined || !isOwn) return input
  try {
    return restoreRedacted(input, seen.input, inputs.open(seen.sealedInput, seen.id))
  } catch {
    // The master key is missing: the placeholders stay, and are refused as values that have to be
    // entered again.
    return input
  }
}
