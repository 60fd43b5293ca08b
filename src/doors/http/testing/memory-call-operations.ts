import type { CoreApi } from '../../../core/crib-api.ts'
import type { CallRecord } from '../../../core/kernel/call.ts'
import { openOperations, type OpenOperation } from '../../../core/operations/run-operation.ts'
import { callOperations } from '../../../features/calls/operations.ts'
import type { CallOperationParts } from '../../../features/calls/parts.ts'

interface MemoryCalls {
  calls: ReadonlyMap<string, CallRecord>
  call: CoreApi['call']
  cancel(callId: string): void
}

/** The real operations on calls, over a record in memory. */
export function memoryCallOperations({
  calls,
  call,
  cancel,
}: MemoryCalls): Readonly<Record<string, OpenOperation>> {
  const find: CallOperationParts['calls']['find'] = async (tenant, id) => {
    const found = calls.get(id)
    return found?.tenant === tenant ? found : undefined
  }
  const parts = {
    calls: {
      find,
      list: async (tenant: string, { tool, limit }: { tool?: string; limit: number }) => ({
        items: [...calls.values()]
          .filter((one) => one.tenant === tenant && (tool === undefined || one.tool === tool))
          .slice(0, limit),
      }),
      requestCancel: async (_tenant: string, id: string) => cancel(id),
    },
    artifacts: {
      async read(tenant, id, { offset, limit }) {
        const bytes = new TextEncoder().encode(JSON.stringify((await find(tenant, id))?.output))
        const chunk = bytes.subarray(offset, offset + limit)
        const mediaType = 'application/json'
        return { id: `art_${id}`, bytes: bytes.length, mediaType, offset, chunk }
      },
    } satisfies CallOperationParts['artifacts'],
    async waitForCall(tenant, id, { waitMs = 0, signal } = {}) {
      const until = Date.now() + waitMs
      const isOver = () => Date.now() >= until || signal?.aborted === true
      while (!calls.get(id)?.settledAt && !isOver()) {
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      return find(tenant, id)
    },
    recorder: { ensure: async () => false },
    registry: { find: () => undefined },
    running: { find: () => undefined },
    call,
  } satisfies Record<keyof Omit<CallOperationParts, 'work' | 'now'>, unknown> &
    Pick<CallOperationParts, 'waitForCall' | 'call'>
  return openOperations(callOperations, parts as unknown as CallOperationParts)
}
