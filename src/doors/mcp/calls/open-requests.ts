import { askOperation } from '../../../features/ask-operation.ts'
import type { Caller } from '../../../core/kernel/call.ts'
import type { CoreApi } from '../../../core/crib-api.ts'
import { holderOf } from '../mcp-request-context.ts'

export type RequestId = string | number

/** Calls under way whose clients cancel them by a request of its own. */
export interface OpenRequests {
  /** The session of the caller has to be known. */
  open(caller: Caller, id: RequestId): OpenRequest
  /** Nothing where there is no such request on any node, or it is another's. */
  cancel(caller: Caller, id: RequestId): void
}

/** One of them, until it is answered. */
export interface OpenRequest {
  onCall(callId: string): void
  close(): void
}

/** No client uses longer ids, and messages between nodes are bounded. */
const maxWordChars = 2000

/**
 * Opens the list. It knows the requests of this process; a cancel of any other is sent to the other
 * nodes, because a load balancer may bring it anywhere.
 */
export function createOpenRequests(api: Pick<CoreApi, 'runOperation' | 'bus'>): OpenRequests {
  const requests = new Map<string, Request>()
  function cancelHere(key: string, holder: string): boolean {
    const request = requests.get(key)
    if (request === undefined || holderOf(request.caller) !== holder) return false
    request.cancel()
    return true
  }
  api.bus?.hear((word) => {
    const [kind, key, holder] = readWord(word)
    if (kind === wordKind && key !== undefined && holder !== undefined) cancelHere(key, holder)
  })
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
      const [key, holder] = [keyOf(caller, id), holderOf(caller)]
      if (cancelHere(key, holder)) return
      const word = JSON.stringify([wordKind, key, holder])
      if (word.length <= maxWordChars) api.bus?.tell(word)
    },
  }
}

const wordKind = 'mcp.cancel'

/** Another version of the nodes may send other messages. */
function readWord(word: string): readonly (string | undefined)[] {
  try {
    const said: unknown = JSON.parse(word)
    return Array.isArray(said)
      ? said.map((part) => (typeof part === 'string' ? part : undefined))
      : []
  } catch {
    return []
  }
}

function keyOf({ sessionId = '' }: Caller, id: RequestId): string {
  return `${sessionId} ${typeof id} ${id}`
}

/** One is made for every call, so it is a class. */
class Request implements OpenRequest {
  readonly #api: Pick<CoreApi, 'runOperation'>
  readonly caller: Caller
  readonly close: () => void
  #callId: string | undefined
  #isCancelled = false

  constructor(api: Pick<CoreApi, 'runOperation'>, caller: Caller, close: () => void) {
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
    // It may have settled in the meantime, and then there is nothing to end.
    if (this.#callId === undefined) return
    const asking = { api: this.#api, caller: this.caller }
    askOperation(asking, 'cancelCall', { id: this.#callId }).catch(() => undefined)
  }
}
