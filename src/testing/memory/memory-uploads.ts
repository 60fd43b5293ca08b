import { createHash } from 'node:crypto'
import type { CallLog } from '../../core/call-log.ts'
import type { EventType } from '../../core/events/event.ts'
import type { EventLog } from '../../core/events/event-log.ts'
import type { Principal } from '../../core/call.ts'
import type { JsonValue } from '../../core/json.ts'
import { createId } from '../../core/ids.ts'
import type { ScheduleStore } from '../../core/schedules/schedule-store.ts'
import { toUploadUri, type Upload } from '../../core/uploads/upload.ts'
import type { UploadStore } from '../../core/uploads/upload-store.ts'

interface Kept {
  tenant: string
  upload: Upload
  bytes: Uint8Array
  usedBy: Set<string>
}

/** Files that were handed in, in memory. */
export function createMemoryUploads(
  events: EventLog,
  users: { calls: Pick<CallLog, 'find'>; schedules: Pick<ScheduleStore, 'list'> },
): UploadStore {
  const kept = new Map<string, Kept>()
  const find = (tenant: string, id: string) => {
    const one = kept.get(id)
    return one?.tenant === tenant ? one : undefined
  }
  const tell = (of: { tenant: string; principal: Principal }, type: EventType, data: JsonValue) =>
    events.record([{ ...of, events: [{ type, at: Date.now(), data }] }])
  return {
    async put({ tenant, principal, name, mediaType, keepMs }, pieces) {
      const parts: Uint8Array[] = []
      for await (const piece of pieces) parts.push(piece.slice())
      const bytes = new Uint8Array(Buffer.concat(parts))
      const id = createId('upl')
      const now = Date.now()
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      const times = {
        createdAt: new Date(now).toISOString(),
        keptUntil: new Date(now + keepMs).toISOString(),
      }
      const facts = { name, mediaType, bytes: bytes.length, sha256 }
      const upload = { id, uri: toUploadUri(id), ...facts, principal, ...times }
      kept.set(id, { tenant, upload, bytes, usedBy: new Set() })
      await tell({ tenant, principal }, 'upload.stored', { upload: id, ...facts })
      return { ...upload }
    },
    find: async (tenant, id) => {
      const one = find(tenant, id)
      return one && { ...one.upload }
    },
    read: async (tenant, id, { offset, limit }) =>
      find(tenant, id)?.bytes.slice(Math.max(0, offset), Math.max(0, offset) + Math.max(0, limit)),
    async use(tenant, callId, ids) {
      const found = ids.flatMap((id) => find(tenant, id) ?? [])
      for (const { usedBy } of found) usedBy.add(callId)
      return found.map(({ upload }) => upload.id)
    },
    async remove(tenant, id, principal) {
      if (find(tenant, id) === undefined) return false
      kept.delete(id)
      await tell({ tenant, principal }, 'upload.deleted', { upload: id })
      return true
    },
    countBytes: async (tenant) =>
      [...kept.values()]
        .filter((one) => one.tenant === tenant)
        .reduce((sum, { bytes }) => sum + bytes.length, 0),
    async sweep({ keepMs, limit }) {
      const now = Date.now()
      const due = [...kept.values()].filter(({ upload }) => Date.parse(upload.keptUntil) < now)
      for (const one of due.slice(0, limit)) {
        if (await isUsed(one, users)) one.upload.keptUntil = new Date(now + keepMs).toISOString()
        else {
          kept.delete(one.upload.id)
          const of = { tenant: one.tenant, principal: { kind: 'system', id: 'sweep' } as const }
          await tell(of, 'upload.deleted', { upload: one.upload.id, because: 'unused' })
        }
      }
      return Math.min(due.length, limit)
    },
  }
}

async function isUsed(
  { tenant, upload, usedBy }: Kept,
  { calls, schedules }: { calls: Pick<CallLog, 'find'>; schedules: Pick<ScheduleStore, 'list'> },
): Promise<boolean> {
  const found = await Promise.all([...usedBy].map((id) => calls.find(tenant, id)))
  if (found.some((call) => call !== undefined)) return true
  const { items } = await schedules.list(tenant, { limit: Number.MAX_SAFE_INTEGER })
  return items.some(
    ({ state, input }) => state !== 'finished' && JSON.stringify(input).includes(upload.uri),
  )
}
