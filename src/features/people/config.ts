import { z } from 'zod'
import { roleNames } from '../../core/policy/roles.ts'
import { slugSchema as slug } from '../../core/rules/rule-schemas.ts'

/** Roles of members beside the shipped ones. */
export const rolesSchema = z
  .record(
    slug,
    z.strictObject({
      permissions: z
        .array(z.string().min(1).max(200))
        .max(200)
        .describe('For example tools.call or billing.*'),
    }),
  )
  .superRefine((roles, context) => {
    for (const name of roleNames.filter((shipped) => Object.hasOwn(roles, shipped))) {
      const message = 'is a shipped role, which stays as it is; choose another name'
      context.addIssue({ code: 'custom', path: [name], message })
    }
  })
  .default({})
  .describe('Additional roles for members, in every tenant')
