import { describe, expect, test } from 'vitest'
import type { KnownServer } from '../../../core/gateway/gateway-store.ts'
import type { Stores } from '../../stores.ts'
import { freshTenant } from '../../../store/contract/records.ts'

function knownOf(tenant: string, facts: Partial<KnownServer> = {}): KnownServer {
  return {
    tenant,
    server: 'files',
    fingerprint: '{"command":"files"}',
    verdict: { era: 'legacy', version: '2025-11-25', checkedAt: 1_700_000_000_000 },
    tools: [{ name: 'read', inputSchema: { type: 'object' }, description: 'null \u0000 byte' }],
    about: { name: 'Files' },
    listedAt: 1_700_000_000_001,
    asking: ['read'],
    ...facts,
  }
}

/** The contract of every store for the known facts about MCP servers. */
export function describeGateway(store: () => Stores): void {
  describe('known facts about MCP servers', () => {
    test('is read as it was written, and written over', async () => {
      const tenant = freshTenant()
      const { gateway } = store()
      await gateway.write(knownOf(tenant))
      expect(await gateway.find({ tenant, server: 'files' })).toEqual(knownOf(tenant))
      const bare = { tenant, server: 'files', fingerprint: 'other' }
      await gateway.write(bare)
      expect(await gateway.find({ tenant, server: 'files' })).toEqual(bare)
    })

    test('belongs to one tenant and goes when it is forgotten', async () => {
      const [tenant, other] = [freshTenant(), freshTenant()]
      const { gateway } = store()
      await gateway.write(knownOf(tenant, { server: 'b' }))
      await gateway.write(knownOf(tenant, { server: 'a' }))
      expect((await gateway.list(tenant)).map(({ server }) => server)).toEqual(['a', 'b'])
      expect(await gateway.list(other)).toEqual([])
      expect(await gateway.find({ tenant: other, server: 'a' })).toBeUndefined()
      expect(await gateway.forget({ tenant, server: 'a' })).toBe(true)
      expect(await gateway.forget({ tenant, server: 'a' })).toBe(false)
      expect((await gateway.list(tenant)).map(({ server }) => server)).toEqual(['b'])
    })
  })
}
