import type { Caller } from '../../core/kernel/call.ts'
import { type ErrorCode, ToolError } from '../../core/kernel/errors.ts'
import type { CribApi } from '../../features/crib-api.ts'

/** Calls of one session, as functions that throw. */
export interface SessionCalls {
  /** Calls a tool and returns its output. Nobody is asked: a call that has to wait is withdrawn. */
  call(tool: string, input: object, signal?: AbortSignal): Promise<CalledTool>
  /** Throws unless a call of the tool would run now. For what is done without one. */
  assertAllowed(tool: string): Promise<void>
}

export interface CalledTool {
  callId: string
  output: Record<string, unknown>
}

/** Longer than any timer. */
const forever = 1e9

export function createSessionCalls(api: CribApi, caller: Caller): SessionCalls {
  return {
    async call(tool, input, signal) {
      signal?.throwIfAborted()
      const started = await api.call({ tool, input, caller, ...(signal && { signal }) })
      const { callId = '' } = started
      const isPending = started.status === 'queued' || started.status === 'running'
      const result = isPending
        ? await api.findCall(caller, { id: callId, wait: forever }, signal && { signal })
        : started
      signal?.throwIfAborted()
      if (result.status === 'waiting') {
        await api.cancelCall(caller, { id: callId }).catch(() => undefined)
        throw needsApproval(tool)
      }
      if (result.status !== 'completed') throw toError(result)
      return { callId, output: result.output as Record<string, unknown> }
    },
    async assertAllowed(tool) {
      const { items } = await api.explain(caller, { tool })
      const found = items.find((item) => item.tool === tool)
      if (found?.visible === true && found.verdict === 'allow') return
      if (found?.visible === true && found.verdict === 'ask') throw needsApproval(tool)
      throw new ToolError('denied', `${tool} is not allowed here`, {
        fix: 'toolcrib explain shows which rule hides it.',
      })
    },
  }
}

function needsApproval(tool: string): ToolError {
  return new ToolError('approval_required', `${tool} needs approval, and a sandbox asks nobody`, {
    fix: `Call ${tool} as a tool of the crib, whose approvals people can decide, or allow it without.`,
  })
}

function toError({ error }: { error?: unknown }): ToolError {
  const { code, message, fix } = (error ?? {}) as { code?: string; message?: string; fix?: string }
  return new ToolError((code ?? 'tool_failed') as ErrorCode, message ?? 'The call has failed', {
    ...(fix !== undefined && { fix }),
  })
}
