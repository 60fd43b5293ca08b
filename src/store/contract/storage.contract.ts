import { describe, expect, test } from 'vitest'
import { createId } from '../../core/kernel/ids.ts'
import type { Stores } from '../../features/stores.ts'
import { freshTenant, settlementOf, startOf } from './records.ts'

const pieceBytes = 256 * 1024

/** The contract of every store for artifacts, tenants and its own life. */
export function describeStorage(store: () => Stores, reopen: () => Promise<void>): void {
  describe('artifacts', () => {
    test('text is read back in pages of bytes, across the borders of pieces', async () => {
      const [tenant, callId] = [freshTenant(), createId('call')]
      // An odd start, so that characters of two and four bytes lie across the border of a piece.
      const text = `x${'é'.repeat(pieceBytes / 2 - 1)}${'\u{1f600}'.repeat(1000)}end`
      const bytes = Buffer.from(text)
      const reference = await store().artifacts.put(tenant, callId, {
        text,
        mediaType: 'text/plain',
      })
      expect(reference).toEqual({ id: reference.id, bytes: bytes.length, mediaType: 'text/plain' })
      const ranges = [
        [0, 10],
        [pieceBytes - 7, 14],
        [bytes.length - 3, 100],
        [bytes.length, 5],
        [0, bytes.length],
        [-4, 3],
        [5, 0],
      ] as const
      for (const [offset, limit] of ranges) {
        const page = await store().artifacts.read(tenant, callId, { offset, limit })
        const from = Math.max(0, offset)
        expect({ ...page, chunk: Buffer.from(page!.chunk).toString('hex') }).toEqual({
          ...reference,
          offset: from,
          chunk: bytes.subarray(from, from + limit).toString('hex'),
        })
      }
      expect(
        await store().artifacts.read(freshTenant(), callId, { offset: 0, limit: 5 }),
      ).toBeUndefined()
      expect(
        await store().artifacts.read(tenant, createId('call'), { offset: 0, limit: 5 }),
      ).toBeUndefined()
      expect(
        await store().artifacts.read(tenant, 'nonsense', { offset: 0, limit: 5 }),
      ).toBeUndefined()
    })

    test('fifty megabytes are stored and read without holding them in the database’s memory', async () => {
      const [tenant, callId] = [freshTenant(), createId('call')]
      const text = '0123456789abcdef'.repeat((50 * 1024 * 1024) / 16)
      const before = process.memoryUsage().rss
      const { bytes } = await store().artifacts.put(tenant, callId, {
        text,
        mediaType: 'text/plain',
      })
      expect(bytes).toBe(text.length)
      expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024)
      const page = await store().artifacts.read(tenant, callId, { offset: bytes - 20, limit: 20 })
      expect(Buffer.from(page!.chunk).toString()).toBe('cdef0123456789abcdef')
      const large = await store().artifacts.read(tenant, callId, { offset: 0, limit: bytes })
      expect(large?.chunk.length).toBe(4 * 1024 * 1024)
    })

    test('bytes are read back as they were, by the id of the one that counts', async () => {
      const [tenant, callId] = [freshTenant(), createId('call')]
      const bytes = Uint8Array.from({ length: pieceBytes + 5 }, (_, index) => (index * 7) % 256)
      // A view into a larger buffer, as a request's body may be.
      const content = { bytes: bytes.subarray(1), mediaType: 'image/png' }
      const first = await store().artifacts.put(tenant, callId, content)
      const second = await store().artifacts.put(tenant, callId, { text: 'x', mediaType: 'a/b' })
      const read = (id: string, offset = pieceBytes - 2) =>
        store().artifacts.read(tenant, callId, { offset, limit: 100, id })
      const chunk = Buffer.from((await read(first.id))!.chunk).toString('hex')
      expect(chunk).toBe(Buffer.from(bytes.subarray(pieceBytes - 1)).toString('hex'))
      await store().artifacts.remove(freshTenant(), callId, first.id)
      expect(await read(first.id)).toMatchObject({ bytes: pieceBytes + 4, mediaType: 'image/png' })
      await store().artifacts.remove(tenant, callId, second.id)
      expect([await read(second.id), await read('art_x')]).toEqual([undefined, undefined])
      expect(await read(first.id)).toMatchObject({ id: first.id })
    })

    test('of two for one call the later one is read', async () => {
      const [tenant, callId] = [freshTenant(), createId('call')]
      await store().artifacts.put(tenant, callId, { text: 'first', mediaType: 'text/plain' })
      await store().artifacts.put(tenant, callId, { text: '', mediaType: 'text/html' })
      const page = await store().artifacts.read(tenant, callId, { offset: 0, limit: 5 })
      expect(page).toMatchObject({ bytes: 0, mediaType: 'text/html' })
    })
  })

  describe('tenants', () => {
    test('one that is declared no more is suspended, and taken up when it is declared again', async () => {
      const { tenants } = store()
      const [ours, acme] = [
        { slug: 'default', name: 'Default' },
        { slug: 'acme', name: 'Acme' },
      ]
      await tenants.sync([ours, acme])
      await tenants.sync([{ ...ours, name: 'Ours' }])
      const stood = { isDeclared: true, status: 'active', createdAt: expect.any(String) }
      const left = { isDeclared: false, status: 'suspended', reason: 'it is declared no more' }
      expect(await tenants.list({ limit: 10 })).toEqual({
        items: [
          { ...acme, ...stood, ...left },
          { ...ours, ...stood, name: 'Ours' },
        ],
      })
      await tenants.sync([ours, acme])
      expect(await tenants.find('acme')).toEqual({ ...acme, ...stood })
      expect(await tenants.find('nobody')).toBeUndefined()
      expect(await tenants.list({ limit: 1 })).toMatchObject({ next: 'acme' })
    })
  })

  describe('the store itself', () => {
    test('calls that ran when it went away are handed out once, with what recovery needs to know', async () => {
      const tenant = freshTenant()
      const running = startOf(tenant, {
        execution: 'background',
        isRepeatable: true,
        timeoutMs: 1234,
        permissions: ['tools.call', 'billing.*'],
        parents: ['lead', 'chief'],
        skill: 'triage',
        onBehalfOf: { kind: 'user', id: 'anna' },
      })
      const waiting = startOf(tenant, { status: 'waiting' })
      const settled = startOf(tenant)
      for (const start of [running, waiting, settled]) await store().calls.open(start)
      await store().calls.settle(settlementOf(settled))
      const claim = async () =>
        (await store().calls.claimOrphans(1000)).filter((orphan) => orphan.tenant === tenant)
      expect(await claim()).toEqual([])
      await reopen()
      const mine = startOf(tenant)
      await store().calls.open(mine)
      const call = await store().calls.find(tenant, running.callId)
      const rounds = await Promise.all([claim(), claim()])
      expect(rounds.flat()).toEqual([
        {
          ...call,
          execution: 'background',
          isRepeatable: true,
          timeoutMs: 1234,
          permissions: ['tools.call', 'billing.*'],
          parents: ['lead', 'chief'],
          skill: 'triage',
          onBehalfOf: { kind: 'user', id: 'anna' },
          hasWaited: false,
          isApproved: false,
          takeovers: 0,
          failures: 0,
          wakes: 0,
        },
      ])
      expect(await claim()).toEqual([])
    })

    test('old settled records are removed with their events and artifacts; the rest stays', async () => {
      const [tenant, other] = [freshTenant(), freshTenant()]
      const oldId = (hex: string) => `call_${`0190${hex}`.padEnd(32, '0')}`
      const old = startOf(tenant, { callId: oldId('a1') })
      const waiting = startOf(tenant, { callId: oldId('a2'), status: 'waiting' })
      const recent = startOf(tenant)
      const foreign = startOf(other, { callId: oldId('a3') })
      for (const start of [old, waiting, recent, foreign]) await store().calls.open(start)
      for (const start of [old, recent, foreign]) await store().calls.settle(settlementOf(start))
      await store().artifacts.put(tenant, old.callId, { text: 'much', mediaType: 'text/plain' })
      // Unsealed rows would be missing from the chain.
      expect(await store().removeOld(tenant, Date.now() - 60_000, 100)).toBe(0)
      await store().audit.seal(tenant)
      expect(await store().removeOld(tenant, Date.now() - 60_000, 100)).toBe(1)
      expect(await store().removeOld(tenant, Date.now() - 60_000, 100)).toBe(0)
      const { items } = await store().calls.list(tenant, { limit: 10 })
      expect(items.map(({ callId }) => callId)).toEqual([recent.callId, waiting.callId])
      const events = await store().events.read(tenant, { limit: 100 })
      expect(new Set(events.items.map(({ callId }) => callId))).toEqual(
        new Set([recent.callId, waiting.callId]),
      )
      const range = { offset: 0, limit: 10 }
      expect(await store().artifacts.read(tenant, old.callId, range)).toBeUndefined()
      expect(await store().calls.find(other, foreign.callId)).toMatchObject({ status: 'completed' })
    })

    test('it answers, flushes pending work, and accepts nothing after close', async () => {
      await store().ping()
      const starts = Array.from({ length: 100 }, () => startOf(freshTenant()))
      const writes = starts.map((start) => store().calls.open(start))
      await store().flush()
      const late = new Promise((resolve) => setImmediate(() => resolve('late')))
      expect(await Promise.race([Promise.all(writes), late])).not.toBe('late')
      const closed = store()
      await reopen()
      await expect(closed.calls.open(startOf(freshTenant()))).rejects.toMatchObject({
        code: 'shutting_down',
      })
      await expect(closed.ping()).rejects.toMatchObject({ code: 'store_unavailable' })
      await closed.close()
      expect((await store().calls.find(starts[99]!.tenant, starts[99]!.callId))?.status).toBe(
        'running',
      )
    })
  })
}
