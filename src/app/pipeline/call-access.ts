import { toCallResult } from '../../core/kernel/call-result.ts'
import type { CallResult } from '../../core/kernel/call.ts'
import type { CoreApi } from '../../core/crib-api.ts'
import type { CallRequest } from '../../core/kernel/call-request.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { askFirst } from '../../core/pipeline/ask-first.ts'
import type { ChainedRequest } from '../../core/pipeline/chained-request.ts'
import { callTool } from '../../core/pipeline/call-tool.ts'
import { toCallError } from '../../core/pipeline/record/call-error.ts'
import { isSettled } from '../../core/call-state.ts'
import type { PipelinePorts } from '../../core/pipeline/ports.ts'
import type { Store } from '../../core/ports.ts'
import type { WaitForCall } from '../../features/calls/parts.ts'
import { requirePermission } from '../../core/operations/require-permission.ts'
import { assertWellFormed } from './well-formed.ts'

interface CallAccessOptions {
  store: Store
  ports: PipelinePorts
  waitForCall: WaitForCall
}

/** Making calls, as doors do. */
export interface CallAccess extends Pick<CoreApi, 'ask'> {
  /** Never rejects. Doors send no more than a `CallRequest`. */
  call(request: ChainedRequest): Promise<CallResult>
  /** New calls are refused from here on. */
  refuse(): void
  isRefusing(): boolean
}

/** Making calls. */
export function createCallAccess(options: CallAccessOptions): CallAccess {
  const { store, ports } = options
  let isDraining = false
  return {
    async call(request) {
      try {
        if (isDraining)
          throw new ToolError('shutting_down', 'The server is stopping; try again in a moment')
        requirePermission(request.caller, 'tools.call')
        assertWellFormed(request)
        return await untilSettled(request, await callTool(onTime(request, store), ports), options)
      } catch (error) {
        return { status: 'failed', error: toCallError(error) }
      }
    },
    async ask(request) {
      try {
        requirePermission(request.caller, 'tools.call')
        assertWellFormed(request)
        return await askFirst(request, ports)
      } catch (error) {
        return { status: 'failed', error: toCallError(error) }
      }
    },
    refuse: () => void (isDraining = true),
    isRefusing: () => isDraining,
  }
}

/** A door reckons a start by the clock of its node; it is due by that of the database. */
function onTime(request: ChainedRequest, { now }: Pick<Store, 'now'>): ChainedRequest {
  if (request.startAt === undefined) return request
  return { ...request, startAt: request.startAt - Date.now() + now() }
}

/** A caller that is ready to wait gets the end of the call, if it comes in time. */
function untilSettled(
  { caller, waitMs = 0, signal }: CallRequest,
  result: CallResult,
  { waitForCall }: CallAccessOptions,
): CallResult | Promise<CallResult> {
  if (waitMs <= 0 || result.callId === undefined || isSettled(result.status)) return result
  return waitForCall(caller.tenant, result.callId, { waitMs, signal }).then((call) =>
    call === undefined ? result : toCallResult(call),
  )
}
