import { describe, expect, test } from 'vitest'
import type { ConnectionKey } from '../../../core/gateway/connection-store.ts'
import { createId } from '../../../core/kernel/ids.ts'
import type { Stores } from '../../stores.ts'
import { eventOf, freshTenant } from '../../../store/contract/records.ts'

const by = { kind: 'user', id: 'anna' } as const
const issuer = 'https://id.example'

function keyOf(tenant: string, facts: Partial<ConnectionKey> = {}): ConnectionKey {
  return { tenant, server: 'docs', subject: 'user:anna', ...facts }
}

const tokens = (value: string) => ({ kind: 'tokens', issuer, value: { token: value } }) as const

/** The contract of every store for credentials of MCP servers. */
export function describeConnections(store: () => Stores): void {
  const connections = () => store().connections

  describe('connections to MCP servers', () => {
    test('a credential is found by whose, which server and which issuer it is', async () => {
      const key = keyOf(freshTenant())
      expect(await connections().put(key, tokens('first'))).toBe(1)
      expect(
        await connections().put(key, { ...tokens('other'), issuer: 'https://b.example' }),
      ).toBe(1)
      expect(await connections().put(key, tokens('second'))).toBe(2)
      const found = await connections().find(key, { kind: 'tokens', issuer })
      expect(found).toEqual({
        issuer,
        value: { token: 'second' },
        version: 2,
        updatedAt: expect.any(Number),
      })
      const others = [
        keyOf(freshTenant()),
        { ...key, server: 'mail' },
        { ...key, subject: 'user:bob' },
        { ...key, subject: '' },
      ]
      for (const other of others) {
        expect(await connections().find(other, { kind: 'tokens' })).toBeUndefined()
      }
      expect(await connections().find(key, { kind: 'client', issuer })).toBeUndefined()
    })

    test('of two that replace the same version, one succeeds; a removed credential stays removed', async () => {
      const key = keyOf(freshTenant())
      await connections().put(key, tokens('first'))
      const written = await Promise.all(
        ['a', 'b', 'c'].map((text) => connections().put(key, { ...tokens(text), ifVersion: 1 })),
      )
      expect(written.filter((version) => version !== undefined)).toEqual([2])
      expect(await connections().put(key, { ...tokens('late'), ifVersion: 0 })).toBeUndefined()
      expect(await connections().remove(key, {})).toBe(true)
      expect(await connections().put(key, { ...tokens('late'), ifVersion: 2 })).toBeUndefined()
      expect(await connections().find(key, { kind: 'tokens' })).toBeUndefined()
    })

    test('of all who want to refresh, one gets the lease, until it writes', async () => {
      const key = keyOf(freshTenant())
      await connections().put(key, tokens('first'))
      const lease = (version: number) =>
        connections().lease(key, 'tokens', { issuer, version, ms: 60_000 })
      const leases = await Promise.all([lease(1), lease(1), lease(1)])
      expect(leases.filter((isMine) => isMine)).toEqual([true])
      expect(await lease(2)).toBe(false)
      await connections().put(key, { ...tokens('second'), ifVersion: 1 })
      expect(await lease(2)).toBe(true)
    })

    test('a lease that is given back is had by the next one, unless it was of an older version', async () => {
      const key = keyOf(freshTenant())
      await connections().put(key, tokens('first'))
      const lease = { issuer, version: 1 }
      const take = () => connections().lease(key, 'tokens', { ...lease, ms: 60_000 })
      expect(await take()).toBe(true)
      await connections().release(key, 'tokens', { issuer, version: 2 })
      expect(await take()).toBe(false)
      await connections().release(key, 'tokens', lease)
      expect(await take()).toBe(true)
    })

    test('a lease that is over is had by the next one', async () => {
      const key = keyOf(freshTenant())
      await connections().put(key, tokens('first'))
      const lease = { issuer, version: 1 }
      expect(await connections().lease(key, 'tokens', { ...lease, ms: -1 })).toBe(true)
      expect(await connections().lease(key, 'tokens', { ...lease, ms: 60_000 })).toBe(true)
    })

    test('connecting and disconnecting are recorded, never with a token', async () => {
      const tenant = freshTenant()
      const key = keyOf(tenant)
      const told = (type: 'mcp.server.signed_in' | 'mcp.server.signed_out') => ({
        principal: by,
        event: eventOf(type, { server: 'docs' }),
      })
      await connections().put(key, {
        ...tokens('sk_live_4242'),
        told: told('mcp.server.signed_in'),
      })
      await connections().remove(key, { told: told('mcp.server.signed_out') })
      expect(await connections().remove(key, { told: told('mcp.server.signed_out') })).toBe(false)
      const { items } = await store().events.read(tenant, { limit: 10 })
      expect(items.map(({ type, data, principal }) => ({ type, data, principal }))).toEqual([
        { type: 'mcp.server.signed_in', data: { server: 'docs' }, principal: by },
        { type: 'mcp.server.signed_out', data: { server: 'docs' }, principal: by },
      ])
      expect(JSON.stringify(items)).not.toContain('4242')
    })

    test('connected principals are listed without credentials', async () => {
      const tenant = freshTenant()
      await connections().put(keyOf(tenant), tokens('a'))
      await connections().put(keyOf(tenant, { subject: '' }), tokens('b'))
      await connections().put(keyOf(tenant, { server: 'mail' }), tokens('c'))
      await connections().put(keyOf(tenant), { ...tokens('d'), kind: 'client' })
      const facts = { issuer, connectedAt: expect.any(Number), updatedAt: expect.any(Number) }
      expect(await connections().list(tenant, 'docs')).toEqual([
        { subject: '', ...facts },
        { subject: 'user:anna', ...facts },
      ])
    })

    test('a sign-in comes back once, in time, and by its secret alone', async () => {
      const tenant = freshTenant()
      const [state, late] = [createId('state'), createId('state')]
      const pending = { ...keyOf(tenant), value: { verifier: 'v' }, expiresAt: Date.now() + 60_000 }
      await connections().begin(state, pending)
      await connections().begin(late, { ...pending, expiresAt: Date.now() - 1 })
      expect(await connections().peek(state)).toEqual(pending)
      expect(await connections().peek('other')).toBeUndefined()
      const taken = await Promise.all([connections().take(state), connections().take(state)])
      expect(taken.filter((one) => one !== undefined)).toEqual([pending])
      expect(await connections().take(late)).toBeUndefined()
      expect(await connections().list(tenant, 'docs')).toEqual([])
      await connections().sweep()
    })
  })
}
