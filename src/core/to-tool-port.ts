import type { Caller } from './kernel/call.ts'
import type { CoreApi } from './crib-api.ts'
import type { ToolPort } from './offer/tool-port.ts'

/** A crib in this process as this caller meets it. */
export function toToolPort(
  api: Pick<
    CoreApi,
    'offer' | 'ask' | 'call' | 'findCall' | 'listCalls' | 'cancel' | 'readArtifact'
  >,
  caller: Caller,
): ToolPort {
  return {
    offer: () => api.offer(caller),
    call: (request) => api.call({ ...request, caller }),
    ask: (request) => api.ask({ ...request, caller }),
    findTool: async (name) => (await api.offer(caller)).find(name),
    findByKey: async (idempotencyKey) =>
      (await api.listCalls(caller, { idempotencyKey, limit: 10 })).items,
    findCall: (callId, options) => api.findCall(caller, callId, options),
    cancel: (callId) => api.cancel(caller, callId),
    readArtifact: async (callId, { id, bytes }) => {
      const range = { offset: 0, limit: bytes, artifact: id }
      return (await api.readArtifact(caller, callId, range)).chunk
    },
  }
}
