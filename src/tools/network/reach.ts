import { isToolError, ToolError } from '../../core/kernel/errors.ts'

export interface ReachOptions {
  /** The host or API, for the message. */
  from: string
  signal?: AbortSignal | null | undefined
  /** The reason may be shown: the address holds no key. */
  showsReason?: boolean
}

/** Runs a request. A connection that fails is an upstream failure, not a crash of the tool. */
export async function reach<Answer>(
  send: () => Promise<Answer>,
  { from, signal, showsReason = false }: ReachOptions,
): Promise<Answer> {
  try {
    return await send()
  } catch (error) {
    if (isToolError(error) || signal?.aborted === true) throw error
    const reason = showsReason ? `: ${reasonOf(error)}` : ''
    throw new ToolError('upstream_failed', `${from} could not be reached${reason}`, {
      cause: showsReason ? error : undefined,
      fix: 'Check the address and the network rules, or try again later.',
    })
  }
}

/** Clients report the cause of a failed connection inside of a general error. */
function reasonOf(error: unknown): string {
  const { cause, message } = Object(error) as { cause?: unknown; message?: unknown }
  const { code, message: inner } = Object(cause) as { code?: unknown; message?: unknown }
  return String(code ?? inner ?? message ?? error)
}
