import { z } from 'zod'
import { defineEvents } from '../../core/events/define-events.ts'
import { reason, text } from '../../core/operations/payload-fields.ts'

const slug = text('The slug of the tenant')
const name = text('What it is called')
const status = z.enum(['active', 'suspended']).meta({ description: 'Whether it can be used' })

export const tenantEvents = defineEvents(
  { noun: 'Tenant', group: 'tenants', stale: ['tenants'] },
  {
    'tenant.created': {
      meaning: 'A tenant was created',
      data: () => z.object({ slug, name }),
    },
    'tenant.changed': {
      meaning: 'A tenant was renamed, suspended or resumed',
      data: () =>
        z.object({
          slug,
          name,
          status,
          reason: reason.optional(),
          from: z.object({ name, status }).meta({ description: 'Before' }),
        }),
    },
    'tenant.deleted': {
      meaning: 'A tenant was deleted with everything in it',
      data: () => z.object({ slug, name }),
    },
  },
)
