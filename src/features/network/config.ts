import { z } from 'zod'
import { parseAddressList } from '../../core/net/address-list.ts'
import { toPortRule } from '../../core/net/port-rule.ts'
import { eachOnce } from '../../core/schema/each-once.ts'
import { hostPatterns, mostRules, namedRule, networkRuleFields } from './schemas.ts'

/** Rules of one tenant, as people set them at run time. */
export const tenantNetworkSchema = z
  .array(namedRule)
  .max(mostRules)
  .superRefine(eachOnce('network rules', 'id'))
  .default([])

/** Hosts that tools and sandboxes may reach, in every tenant. */
export const networkSchema = z.strictObject({
  allow: hostPatterns.describe('Hosts that tools may reach; all public ones if empty'),
  deny: hostPatterns.describe('Hosts that no tool may reach'),
  packs: z
    .record(z.string().max(100), z.strictObject(networkRuleFields))
    .default({})
    .describe('Hosts for the tools of one pack, by its name; `code` for tools of your own'),
  rules: tenantNetworkSchema.describe(
    'Rules of the default tenant; those of other tenants are in `tenants`',
  ),
  addresses: z
    .array(z.string().max(300))
    .max(1000)
    .refine((entries) => parseAddressList(entries) !== undefined, {
      error: 'must be host names, addresses and networks such as 10.0.0.0/8',
    })
    .default([])
    .describe('Hosts, addresses and networks that are not public, and may still be reached'),
  ports: z
    .array(z.int().min(1).max(65_535))
    .max(1000)
    .refine((ports) => !ports.some((port) => toPortRule(ports)(port) === 'other protocol'), {
      error:
        'must not hold ports of other protocols, such as 25 (the bad ports of the fetch standard)',
    })
    .default([])
    .describe('Ports below 1024 that may be reached beside 80 and 443'),
})

export type NetworkConfig = z.output<typeof networkSchema>
