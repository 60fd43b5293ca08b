import type { Issue } from '../kernel/errors.ts'
import type { RegisteredTool } from '../registry.ts'
import { checkSecretFields, hasSecretFields, hideSecretFields } from '../secrets/secret-fields.ts'
import { createRedactor } from '../secrets/redact.ts'
import type { ToolContract } from '../kernel/tool.ts'
import type { AdmissionRules } from './admission-rules.ts'
import { toJsonValue } from './output/to-json-value.ts'

/** Parses the input with the tool's own schema; throws invalid_input. */
export function parseInput(
  entry: RegisteredTool,
  value: unknown,
  { toMisfit }: Pick<AdmissionRules, 'toMisfit'>,
): unknown {
  const parsed = entry.tool.parseInput(value ?? {})
  if (parsed.ok) return parsed.value
  const { contract } = entry.tool
  throw toMisfit(contract, withoutSecrets(parsed.issues, contract, value))
}

/** Refuses the placeholder that is shown instead of a secret: it is not the secret. */
export function refuseMarks(
  contract: ToolContract,
  input: unknown,
  { refusesMarks }: Pick<AdmissionRules, 'refusesMarks'>,
): void {
  if (refusesMarks && hasSecretFields(contract))
    checkSecretFields(contract, toJsonValue(input ?? {}).value)
}

/** An author's message may repeat the input, but never the value of a secret field. */
function withoutSecrets(
  issues: readonly Issue[],
  contract: ToolContract,
  value: unknown,
): readonly Issue[] {
  if (!hasSecretFields(contract)) return issues
  const { values } = hideSecretFields(contract, toJsonValue(value ?? {}).value)
  const redactor = createRedactor(values)
  return issues.map(({ path, message }) => ({ path, message: redactor.redactText(message) }))
}
