import { defineEvents } from '../../core/events/define-events.ts'

export const tenantEvents = defineEvents(
  { noun: 'Tenant', group: 'tenants', stale: ['tenants'] },
  {
    'tenant.created': { meaning: 'A tenant was made' },
    'tenant.changed': { meaning: 'A tenant was renamed, suspended or taken up again' },
    'tenant.deleted': { meaning: 'A tenant was deleted with everything of its' },
  },
)
