import { isSameTenant } from '../mcp-request-context.ts'

/** The open streams, so that they can be counted and ended. */
export interface StreamList {
  /** False when there are too many, of all callers or of this one. */
  hasRoom(holder: string): boolean
  add(holder: string, end: () => void): () => void
  endAll(): void
  readonly size: number
}

/** Opens the list. Nobody holds more than a quarter, and no tenant more than half: others need some too. */
export function createStreamList(most: number): StreamList {
  const streams = new Set<{ holder: string; end: () => void }>()
  const shares = {
    caller: Math.max(1, Math.floor(most / 4)),
    tenant: Math.max(1, Math.floor(most / 2)),
  }
  function hasShare(holder: string): boolean {
    const ofTenant = [...streams].filter((stream) => isSameTenant(stream.holder, holder))
    const own = ofTenant.filter((stream) => stream.holder === holder).length
    return own < shares.caller && ofTenant.length < shares.tenant
  }
  return {
    hasRoom: (holder) => streams.size < most && hasShare(holder),
    add(holder, end) {
      const stream = { holder, end }
      streams.add(stream)
      return () => void streams.delete(stream)
    },
    endAll() {
      for (const { end } of streams) end()
    },
    get size() {
      return streams.size
    },
  }
}
