import { z } from 'zod'
import { shortText, time } from '../../core/operations/fields.ts'

const status = z.enum(['active', 'suspended']).meta({
  description: 'Nobody can call or sign in while it is suspended; its data is kept',
})

/** A tenant as the doors show it. */
export const tenant = z
  .object({
    slug: z.string(),
    name: z.string(),
    status,
    reason: z.string().optional().meta({ description: 'Why it is suspended' }),
    isDeclared: z.boolean().meta({ description: 'The configuration declares it' }),
    createdAt: time,
  })
  .meta({ id: 'Tenant' })

export const tenantRequest = z
  .strictObject({
    slug: shortText('Lower case letters, digits and dashes, starting with a letter').meta({
      example: 'acme',
    }),
    name: shortText('Its display name; the slug by default').optional(),
  })
  .meta({ id: 'TenantRequest' })

export const tenantChange = z
  .strictObject({
    name: shortText('Its display name').optional(),
    status: status.optional(),
    reason: shortText('Why it is suspended; everybody in the tenant sees it').optional(),
  })
  .meta({ id: 'TenantChange' })
