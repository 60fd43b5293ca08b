import type { ArtifactPage } from './kernel/artifact.ts'
import type { Caller, CallRecord } from './kernel/call.ts'
import type { Page } from './kernel/page.ts'
import type { CoreApi } from './crib-api.ts'
import type { ToolPort } from './offer/tool-port.ts'

/** The parts of the API it needs: making calls, and the operations on them. */
interface CallingApi extends Pick<CoreApi, 'offer' | 'ask' | 'call'> {
  findCall(
    caller: Caller,
    input: { id: string; wait: number },
    options: { signal?: AbortSignal },
  ): Promise<CallRecord>
  listCalls(
    caller: Caller,
    query: { idempotencyKey: string; limit: number },
  ): Promise<Page<CallRecord>>
  cancelCall(caller: Caller, input: { id: string }): Promise<CallRecord>
  readArtifact(
    caller: Caller,
    range: { id: string; offset: number; limit: number; artifact: string },
  ): Promise<ArtifactPage>
}

/** Longer than any timer: no call is awaited that long. */
const forever = 1e9

/** A Toolcrib server in this process as this caller sees it. */
export function toToolPort(api: CallingApi, caller: Caller): ToolPort {
  return {
    offer: () => api.offer(caller),
    call: (request) => api.call({ ...request, caller }),
    ask: (request) => api.ask({ ...request, caller }),
    findTool: async (name) => (await api.offer(caller)).find(name),
    findByKey: async (idempotencyKey) =>
      (await api.listCalls(caller, { idempotencyKey, limit: 10 })).items,
    findCall: (id, { waitMs = 0, signal } = {}) =>
      api.findCall(caller, { id, wait: Math.min(waitMs / 1000, forever) }, { signal }),
    cancel: (id) => api.cancelCall(caller, { id }),
    readArtifact: async (callId, { id, bytes }) => {
      const range = { id: callId, offset: 0, limit: bytes, artifact: id }
      return (await api.readArtifact(caller, range)).chunk
    },
  }
}
