import type { CallStart } from '../../core/call-log.ts'
import type { Job, WorkOrder, WorkQueue } from '../../core/work-ports.ts'

/** Work in an array. One process, so what is taken is kept until it is removed. */
export interface MemoryQueue extends WorkQueue {
  add(call: Pick<CallStart, 'tenant' | 'callId'>, work: WorkOrder): void
  remove(callId: string): void
}

export function createMemoryQueue(): MemoryQueue {
  const waiting = new Map<string, Job & WorkOrder>()
  /** Jobs of suspended tenants, with the time they had before. */
  const resting = new Map<string, number | undefined>()
  const listeners = new Set<() => void>()
  const tell = () => {
    for (const listener of listeners) listener()
  }
  const insert = (job: Job & WorkOrder) => {
    waiting.set(job.callId, job)
    const delayMs = (job.startAt ?? 0) - Date.now()
    if (delayMs <= 0) return tell()
    const timer = setTimeout(tell, Math.min(delayMs, 0x7f_ff_ff_ff))
    ;(timer as { unref?: () => void }).unref?.()
  }
  return {
    add: ({ tenant, callId }, work) => insert({ tenant, callId, lease: 0, ...work }),
    remove: (callId) => void waiting.delete(callId),
    async take(limit) {
      const due = [...waiting.values()].filter(({ startAt }) => (startAt ?? 0) <= Date.now())
      const taken = due.toSorted((a, b) => b.priority - a.priority).slice(0, limit)
      for (const { callId } of taken) waiting.delete(callId)
      return taken
    },
    keep: async () => undefined,
    drop: async () => undefined,
    async handBack(jobs, afterMs) {
      for (const job of jobs) insert({ priority: 0, ...job, startAt: Date.now() + afterMs })
    },
    async rest({ tenant, ...job }, ms) {
      const held: Job & WorkOrder = { priority: 0, ...job, tenant }
      for (const one of [held, ...waiting.values()].filter((other) => other.tenant === tenant)) {
        if (!resting.has(one.callId)) resting.set(one.callId, one.startAt)
        insert({ ...one, startAt: Math.max(one.startAt ?? 0, Date.now() + ms) })
      }
    },
    async rouse(tenant) {
      for (const one of [...waiting.values()].filter((other) => other.tenant === tenant)) {
        if (resting.has(one.callId)) insert({ ...one, startAt: resting.get(one.callId) })
        resting.delete(one.callId)
      }
    },
    restore: async () => undefined,
    prepare: async () => undefined,
    async waiting() {
      const counts = new Map<string, number>()
      for (const { tenant } of waiting.values()) counts.set(tenant, (counts.get(tenant) ?? 0) + 1)
      return counts
    },
    watch(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    stop: async () => undefined,
  }
}
