import { z } from 'zod'
import { principal, shortText, time } from '../../core/operations/fields.ts'
import type { Member } from '../../core/people/member.ts'

const permissions = z
  .array(shortText('A permission, or a pattern'))
  .max(100)
  .meta({ description: 'In addition to those of the role', example: ['billing.refund'] })
const role = shortText('owner, admin, operator, member, viewer, auditor, or a configured role')
const status = z.enum(['active', 'suspended'])

/** A member as the doors show it. */
export const member: z.ZodType<Member> = z
  .object({
    id: z.string(),
    tenant: z.string(),
    email: z.string().optional(),
    name: z.string(),
    role: z.string(),
    permissions,
    status,
    createdAt: time,
  })
  .meta({ id: 'Member' })

export const memberRequest = z
  .strictObject({
    email: shortText('Stored in lower case').meta({ example: 'ada@example.com' }),
    name: shortText('Their display name; the address by default').optional(),
    role: role.optional().meta({ default: 'member' }),
    permissions: permissions.optional(),
  })
  .meta({ id: 'MemberRequest' })

export const memberChange = z
  .strictObject({
    name: shortText('Their display name').optional(),
    role: role.optional(),
    permissions: permissions.optional(),
    status: status.optional(),
  })
  .meta({ id: 'MemberChange' })

export const memberNames = z.object({
  items: z.array(z.object({ id: z.string(), name: z.string() })),
})

export const whoAmI = z
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
        'Send it as `Last-Event-ID` to `GET /api/v1/changes` to receive everything that happens after this response',
    }),
  })
  .meta({ id: 'WhoAmI' })
export type WhoAmI = z.output<typeof whoAmI>
