import type { AuditApi } from '../../../core/audit/audit-api.ts'
import type { AuditEntry } from '../../../core/audit/audit-filter.ts'
import type { UsageApi } from '../../../core/usage/usage-api.ts'

const entry: AuditEntry = {
  id: 'evt_1',
  seq: 1,
  at: '2026-01-01T00:00:00.000Z',
  tenant: 'default',
  principal: { kind: 'user', id: 'anna' },
  type: 'secret.written',
  data: { name: 'stripe_key' },
}

/** An audit with one event in it, and nothing used. */
export function memoryAudit(): AuditApi & UsageApi {
  return {
    listAudit: async () => ({ items: [entry] }),
    async *exportAudit() {
      yield [entry]
    },
    checkAudit: async () => ({ segments: 0, events: 0, problems: [], unsealed: 1 }),
    readUsage: async () => [],
    readToolUsage: async () => [],
  }
}
