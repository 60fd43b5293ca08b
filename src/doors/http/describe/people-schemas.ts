import { z } from 'zod'
import type { WhoAmI } from '../../../core/people/member-api.ts'
import type { Member } from '../../../core/people/member.ts'
import type { Tenant } from '../../../core/rules/tenant.ts'
import { principal, shortText, time } from '../../../core/operations/fields.ts'

const tenantStatus = z.enum(['active', 'suspended']).meta({
  description: 'Nobody calls or signs in while it is suspended; nothing of it is lost',
})

export const tenant: z.ZodType<Tenant> = z
  .object({
    slug: z.string(),
    name: z.string(),
    status: tenantStatus,
    reason: z.string().optional().meta({ description: 'Why it is suspended' }),
    isDeclared: z.boolean().meta({ description: 'Configuration declares it' }),
    createdAt: time,
  })
  .meta({ id: 'Tenant' })

export const tenantRequest = z
  .strictObject({
    slug: shortText('Small letters, digits and dashes, starting with a letter').meta({
      example: 'acme',
    }),
    name: shortText('What it is called; the slug unless said').optional(),
  })
  .meta({ id: 'TenantRequest' })

export const tenantChange = z
  .strictObject({
    name: shortText('What it is called').optional(),
    status: tenantStatus.optional(),
    reason: shortText('Why it is suspended').optional(),
  })
  .meta({ id: 'TenantChange' })

const permissions = z
  .array(shortText('A permission, or a pattern of them'))
  .max(100)
  .meta({ description: 'Beside those of the role', example: ['billing.refund'] })
const role = shortText(
  'owner, admin, operator, member, viewer, auditor, or one of the configuration',
)
const memberStatus = z.enum(['active', 'suspended'])

export const member: z.ZodType<Member> = z
  .object({
    id: z.string(),
    tenant: z.string(),
    email: z.string().optional(),
    name: z.string(),
    role: z.string(),
    permissions,
    status: memberStatus,
    createdAt: time,
  })
  .meta({ id: 'Member' })

export const memberRequest = z
  .strictObject({
    email: shortText('Kept in small letters').meta({ example: 'ada@example.com' }),
    name: shortText('What they are called; the address unless said').optional(),
    role: role.optional().meta({ default: 'member' }),
    permissions: permissions.optional(),
  })
  .meta({ id: 'MemberRequest' })

export const memberChange = z
  .strictObject({
    name: shortText('What they are called').optional(),
    role: role.optional(),
    permissions: permissions.optional(),
    status: memberStatus.optional(),
  })
  .meta({ id: 'MemberChange' })

export const whoAmI: z.ZodType<WhoAmI & { changesFrom: string }> = z
  .object({
    principal,
    tenant: z.string(),
    home: z
      .string()
      .optional()
      .meta({ description: 'The tenant you belong to, while you act in another' }),
    permissions: z.array(z.string()),
    role: z.string().optional(),
    name: z.string().optional(),
    email: z.string().optional(),
    agent: z.string().optional().meta({ description: 'The agent that the key is bound to' }),
    changesFrom: z.string().meta({
      description:
        'Send it as `Last-Event-ID` to `GET /api/v1/changes`: you hear of all that happens after this answer, also before the stream is there',
    }),
  })
  .meta({ id: 'WhoAmI' })
