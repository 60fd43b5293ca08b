import { z } from 'zod'
import { toPortRule } from '../../core/net/port-rule.ts'
import { parseAddressList } from '../../core/net/address-list.ts'

/**
 * The MCP servers that may be added while the server runs. Those in the configuration are exempt.
 */
export const gatewaySchema = z.strictObject({
  stdio: z
    .enum(['configured', 'operators'])
    .optional()
    .describe(
      'The sources of programs that run as MCP servers: only the configuration, or also owners and admins of the default tenant. Default: operators if the server listens only on this machine, otherwise configured',
    ),
  programs: z
    .array(z.string().min(1).max(1000))
    .max(1000)
    .optional()
    .describe('Programs that may be added this way, exactly as written; all if omitted'),
  addresses: z
    .array(z.string().max(300))
    .max(1000)
    .refine((entries) => parseAddressList(entries) !== undefined, {
      error: 'must be host names, addresses and networks such as 10.0.0.0/8',
    })
    .default([])
    .describe('Private hosts, addresses and networks that MCP servers of tenants may use'),
  ports: z
    .array(z.int().min(1).max(65_535))
    .max(1000)
    .refine((ports) => !ports.some((port) => toPortRule(ports)(port) === 'other protocol'), {
      error:
        'must not hold ports of other protocols, such as 25 (the bad ports of the fetch standard)',
    })
    .default([])
    .describe(
      'Ports below 1024 that MCP servers of tenants may use in addition to 80 and 443. Ports of other protocols are always blocked',
    ),
})

export type GatewayConfig = z.output<typeof gatewaySchema>
