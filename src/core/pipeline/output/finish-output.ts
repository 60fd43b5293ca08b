import type { CallError } from '../../kernel/call.ts'
import type { ArtifactReference } from '../../kernel/artifact-reference.ts'
import { isContentOutput } from '../../kernel/content.ts'
import { ToolError } from '../../kernel/errors.ts'
import type { ArtifactStore } from '../../artifact-store.ts'
import type { Redactor } from '../../secrets/redact.ts'
import type { JsonValue, ToolContract, ValueParser } from '../../kernel/tool.ts'
import { boundOutput } from './bound-output.ts'
import { presentError } from '../record/call-error.ts'
import { toFailure } from './failure-shape.ts'
import { keepBytes } from './kept-bytes.ts'
import { toJsonValue } from './to-json-value.ts'

/** A tool's output, made safe to record and return. */
export interface FinishedOutput {
  output?: JsonValue
  error?: CallError
  artifact?: ArtifactReference
  warnings: readonly string[]
}

/** The part of a call that finishing its output needs. */
export interface Finishing {
  callId: string
  tenant: string
  contract: Pick<ToolContract, 'effect' | 'outputSchema' | 'maxOutputBytes'>
  parseOutput: ValueParser
  redactor: Redactor
  artifacts: ArtifactStore
  maxArtifactBytes: number
}

/**
 * JSON → failure? → schema → redacted → bytes stored → bounded, in this order: nothing unredacted
 * is ever kept. Synchronous, unless bytes or the full output have to be stored as well.
 */
export function finishOutput(
  returned: unknown,
  call: Finishing,
): FinishedOutput | Promise<FinishedOutput> {
  const { value, warnings: raw } = toJsonValue(returned)
  // A warning names a place in the output, and the place may contain a secret.
  const warnings = raw.length === 0 ? raw : raw.map((one) => call.redactor.redactText(one))
  const failure = toFailure(value)
  if (failure !== undefined) return { error: presentError(failure, call.redactor), warnings }
  const checked = checkOutput(value, call)
  const redacted = call.redactor.isEmpty ? checked.value : call.redactor.redactValue(checked.value)
  const all = checked.warning === undefined ? warnings : [...warnings, checked.warning]
  return isContentOutput(redacted)
    ? keepBytes(redacted, call).then((kept) => bound(kept, call, all))
    : bound(redacted, call, all)
}

function bound(
  value: JsonValue,
  call: Finishing,
  warnings: readonly string[],
): FinishedOutput | Promise<FinishedOutput> {
  const { output, full } = boundOutput(value, call.contract.maxOutputBytes)
  if (full === undefined) return { output, warnings }
  return keepFull(full, call, warnings).then((kept) => ({ output, ...kept }))
}

/**
 * A read whose output violates its schema failed. After an effect it is a warning, because the
 * effect has happened.
 */
function checkOutput(
  value: JsonValue,
  call: Finishing,
): { value: JsonValue; warning?: string | undefined } {
  if (call.contract.outputSchema === undefined) return { value }
  if (isContentOutput(value)) {
    const { value: $structured, warning } = checkOutput(value.$structured ?? null, call)
    return { value: { $content: value.$content, $structured } as unknown as JsonValue, warning }
  }
  const parsed = call.parseOutput(value)
  if (parsed.ok) return { value: parsed.value as JsonValue }
  const where = parsed.issues.map((issue) => `${issue.path || '/'} ${issue.message}`).join('; ')
  const message = `The output does not match the tool's output schema: ${where}`
  if (call.contract.effect === 'read') {
    throw new ToolError('output_invalid', message, { issues: parsed.issues })
  }
  return { value, warning: call.redactor.redactText(message) }
}

/**
 * Stores the full output when the answer is truncated. If that fails the answer is still returned,
 * with a warning.
 */
async function keepFull(
  full: { text: string; mediaType: string; bytes: number },
  call: Finishing,
  warnings: readonly string[],
): Promise<Pick<FinishedOutput, 'artifact' | 'warnings'>> {
  const fits = full.bytes <= call.maxArtifactBytes
  // There are never more characters than bytes, so this never keeps more than the limit allows in
  // text.
  const text = fits ? full.text : full.text.slice(0, Math.floor(call.maxArtifactBytes / 4))
  const cut = fits ? [] : [`Only the first ${text.length} characters of the full output were kept`]
  try {
    const artifact = await call.artifacts.put(call.tenant, call.callId, {
      text,
      mediaType: full.mediaType,
    })
    return { artifact, warnings: [...warnings, ...cut] }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { warnings: [...warnings, `The full output could not be kept: ${reason}`] }
  }
}
