import { defineEvents } from '../../core/events/define-events.ts'

export const auditEvents = defineEvents(
  { noun: 'Audit log', group: 'audit', stale: [] },
  {
    'audit.exported': { meaning: 'Somebody took a copy of the audit log' },
  },
)
