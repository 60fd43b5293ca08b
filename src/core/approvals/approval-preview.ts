import type { ErrorCode } from '../kernel/errors.ts'
import type { BoundPreview } from '../kernel/trial/tool-preview.ts'

/** The preview of a call that waits for approval. Without a summary it is unavailable. */
export interface ApprovalPreview extends Partial<BoundPreview> {
  state: 'made' | 'unavailable'
  /** ISO time. */
  at: string
  /** The call that made it. */
  callId?: string
  /** The call runs only if its preview is still the same. */
  binds: boolean
  /** Every call of the tool needs its own approval: it can't be remembered. */
  isForThisCall?: true
  /** Why it is unavailable. */
  error?: { code: ErrorCode; message: string }
  /** The preview that was approved, if the call waits again because it has changed. */
  previous?: BoundPreview
  /** How often the call had to wait again. */
  timesChanged?: number
}
