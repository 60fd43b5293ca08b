import type { CallPurpose, CallResult } from '../../kernel/call.ts'
import { ToolError } from '../../kernel/errors.ts'
import type { JsonValue } from '../../kernel/json.ts'
import type { BoundPreview } from '../../kernel/trial/tool-preview.ts'

/**
 * Keeps a chain of calls from having effects: reads run, and nothing else does. It applies to the
 * tool at the top and to every call below.
 */
export interface Shield {
  purpose: CallPurpose
  /** Outputs in place of calls of these tools, by canonical name. */
  given?: Readonly<Record<string, JsonValue>> | undefined
  /**
   * Called in place of a nested call with an effect, whose output is then null. Without it such a call
   * is refused.
   */
  onEffect?: ((effect: ShieldedEffect) => void) | undefined
  /** Called with every call below, made or not, and its result. */
  onCall?: ((call: ShieldedCall, result: CallResult) => void) | undefined
}

/** A call in a shielded chain. */
export interface ShieldedCall {
  tool: string
  input: unknown
  /** Its depth in the chain. */
  depth?: number
}

/** A call with an effect that was not made. */
export interface ShieldedEffect {
  tool: string
  input: JsonValue
  /** Absent if the tool has none, or could not make it. */
  preview?: BoundPreview
  /** Why there is no preview. */
  problem?: string
}

const words = { preview: 'A preview', test: 'A test' } as const

/** The error for something that would have an effect. */
export function refuseEffect(purpose: CallPurpose, what: string): ToolError {
  const fix =
    purpose === 'preview'
      ? 'Only read in a preview, and return the change as data.'
      : 'Give the test the output of this call in given, or test the tool without it.'
  return new ToolError('denied', `${words[purpose]} has no effects, so ${what} is refused`, { fix })
}
