import type { Caller } from '../../../core/call.ts'
import type { CribApi } from '../../../core/crib-api.ts'
import { holderOf } from '../mcp-visit.ts'

export type RequestId = string | number

/** Calls under way whose clients cancel them by a request of its own. */
export interface OpenRequests {
  /** The session of the caller has to be known. */
  open(caller: Caller, id: RequestId): OpenRequest
  /** Nothing where there is no such request, or it is another's. */
  cancel(caller: Caller, id: RequestId): void
}

/** One of them, until it is answered. */
export interface OpenRequest {
  onCall(callId: string): void
  close(): void
}

/** Opens the list; it knows the requests of this process. */
export function createOpenRequests(api: Pick<CribApi, 'cancel'>): OpenRequests {
  const requests = new Map<string, Request>()
  return {
    open(caller, id) {
      const key = keyOf(caller, id)
      const request = new Request(api, caller, () => {
        if (requests.get(key) === request) requests.delete(key)
      })
      requests.set(key, request)
      return request
    },
    cancel(caller, id) {
      const request = requests.get(keyOf(caller, id))
      if (request !== undefined && holderOf(request.caller) === holderOf(caller)) request.cancel()
    },
  }
}

function keyOf({ sessionId = '' }: Caller, id: RequestId): string {
  return `${sessionId} ${typeof id} ${id}`
}

/** One is made for every call, so it is a class. */
class Request implements OpenRequest {
  readonly #api: Pick<CribApi, 'cancel'>
  readonly caller: Caller
  readonly close: () => void
  #callId: string | undefined
  #isCancelled = false

  constructor(api: Pick<CribApi, 'cancel'>, caller: Caller, close: () => void) {
    this.#api = api
    this.caller = caller
    this.close = close
  }

  onCall(callId: string): void {
    this.#callId = callId
    if (this.#isCancelled) this.#end()
  }

  cancel(): void {
    this.#isCancelled = true
    this.#end()
  }

  #end(): void {
    // It may have settled meanwhile, and then there is nothing to end.
    if (this.#callId !== undefined) {
      this.#api.cancel(this.caller, this.#callId).catch(() => undefined)
    }
  }
}
