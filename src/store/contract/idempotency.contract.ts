import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { CallRecord } from '../../core/kernel/call.ts'
import type { CallStart } from '../../core/call-log.ts'
import type { Stores } from '../../features/stores.ts'
import type { JsonValue } from '../../core/kernel/tool.ts'
import type { Tables } from '../tables.ts'
import { freshTenant, settlementOf, startOf } from './records.ts'

/**
 * The contract of every store for idempotency keys. `reopen` closes the store and opens it again.
 */
export function describeIdempotency(
  store: () => Stores,
  { reopen, db }: { reopen: () => Promise<void>; db: () => Kysely<Tables> },
): void {
  describe('idempotency keys', () => {
    test('the same key and input return the first call as it is now; another input is refused', async () => {
      const tenant = freshTenant()
      const first = startOf(tenant, {
        idempotencyKey: 'k',
        input: { a: 1, b: { c: [1], d: null } },
      })
      expect(await store().calls.open(first)).toEqual({ kind: 'opened' })

      const again = startOf(tenant, {
        idempotencyKey: 'k',
        input: { b: { d: null, c: [1] }, a: 1 },
      })
      const running = await store().calls.find(tenant, first.callId)
      expect(await store().calls.open(again)).toEqual({ kind: 'existing', call: running })
      await store().calls.settle(settlementOf(first))
      const settled = await store().calls.find(tenant, first.callId)
      expect(await store().calls.open(again)).toEqual({ kind: 'existing', call: settled })

      const other = startOf(tenant, { idempotencyKey: 'k', input: { a: 2 } })
      expect(await store().calls.open(other)).toEqual({ kind: 'mismatch', callId: first.callId })
      expect(await store().calls.find(tenant, again.callId)).toBeUndefined()
      expect((await store().events.read(tenant, { limit: 10 })).items).toHaveLength(3)
    })

    test('a redacted input is compared by what was sent, which is not stored', async () => {
      const tenant = freshTenant()
      const input = { token: '[secret]' }
      const startWith = (token: string, more = {}) =>
        startOf(tenant, { idempotencyKey: 'k', input, rawInput: { token }, ...more })
      const first = startWith('pin-4711')
      expect(await store().calls.open(first)).toEqual({ kind: 'opened' })
      const call = await store().calls.find(tenant, first.callId)
      expect(call?.input).toEqual(input)
      const existing = { kind: 'existing', call }
      const mismatch = { kind: 'mismatch', callId: first.callId }
      expect(await store().calls.open(startWith('pin-4711'))).toEqual(existing)
      expect(await store().calls.open(startWith('pin-4712'))).toEqual(mismatch)
      // The secret was set or removed in between: the record looks different, what was sent does not.
      const plain = { input: { token: 'pin-4711' }, rawInput: undefined }
      expect(await store().calls.open(startWith('', plain))).toEqual(existing)
      const row = await db().selectFrom('calls').selectAll().where('tenant', '=', tenant).execute()
      const digest = createHash('sha256').update('{"token":"pin-4711"}').digest()
      expect(row).toHaveLength(1)
      expect(JSON.stringify(row)).not.toContain('4711')
      expect(Buffer.from(row[0]!.input_hash!).equals(digest)).toBe(false)
    })

    test('inputs that mean the same to the tool are the same, and so are keys of earlier versions', async () => {
      const tenant = freshTenant()
      const startWith = (idempotencyKey: string, input: JsonValue, preparedInput?: JsonValue) =>
        startOf(tenant, { idempotencyKey, input, preparedInput })
      const short = startWith('k', { x: 1 }, { x: 1, ms: null })
      // Of an earlier version: it knew the input as it came and nothing else.
      const old = startWith('old', { x: 1 })
      for (const start of [short, old]) await store().calls.open(start)
      const kindOf = async (start: CallStart) => (await store().calls.open(start)).kind
      const same = [
        startWith('k', { x: 1 }, { x: 1, ms: null }),
        startWith('k', { x: 1, ms: null }),
        startWith('k', { x: 1, y: 2 }, { x: 1, ms: null }),
        // The tool has another key by now.
        startWith('k', { x: 1 }, { x: 1, ms: null, more: null }),
        startWith('old', { x: 1 }, { x: 1, ms: null }),
      ]
      for (const start of same) expect(await kindOf(start)).toBe('existing')
      const others = [
        startWith('k', { x: 2 }, { x: 2, ms: null }),
        startWith('k', { x: 1, ms: 5 }),
        startWith('old', { x: 2 }, { x: 2, ms: null }),
      ]
      for (const start of others) expect(await kindOf(start)).toBe('mismatch')
      expect(await store().calls.find(tenant, short.callId)).toMatchObject({ input: { x: 1 } })
    })

    test('a key belongs to one tenant and one tool', async () => {
      const tenant = freshTenant()
      const starts = [
        startOf(tenant, { idempotencyKey: 'k' }),
        startOf(tenant, { idempotencyKey: 'k', tool: 'other.tool' }),
        startOf(freshTenant(), { idempotencyKey: 'k' }),
      ]
      for (const start of starts)
        expect(await store().calls.open(start)).toEqual({ kind: 'opened' })
    })

    test('of fifty at once with one key, one is opened and the others get it', async () => {
      const tenant = freshTenant()
      const starts = Array.from({ length: 50 }, () => startOf(tenant, { idempotencyKey: 'same' }))
      const results = await Promise.all(starts.map((start) => store().calls.open(start)))
      const opened = starts.filter((_, index) => results[index]?.kind === 'opened')
      expect(opened).toHaveLength(1)
      const existing = results.flatMap((result) =>
        result.kind === 'existing' ? [result.call] : [],
      )
      const call = (await store().calls.find(tenant, opened[0]!.callId)) as CallRecord
      expect(existing).toEqual(Array.from({ length: 49 }, () => call))
      expect((await store().calls.list(tenant, { limit: 100 })).items).toEqual([call])
    })

    test('the key is remembered after a restart', async () => {
      const tenant = freshTenant()
      const first = startOf(tenant, { idempotencyKey: 'k' })
      await store().calls.open(first)
      await store().calls.settle(settlementOf(first))
      await reopen()
      const result = await store().calls.open(startOf(tenant, { idempotencyKey: 'k' }))
      const call = await store().calls.find(tenant, first.callId)
      expect(result).toEqual({ kind: 'existing', call })
      expect(call?.output).toEqual({ sum: 6 })
    })

    test('opening the same call under its key again after a lost answer does not conflict with itself', async () => {
      const start = startOf(freshTenant(), { idempotencyKey: 'k' })
      await store().calls.open(start)
      expect(await store().calls.open(start)).toEqual({ kind: 'opened' })
    })

    test('a key that is empty or too long is refused', async () => {
      for (const idempotencyKey of ['', 'k'.repeat(256)]) {
        const open = store().calls.open(startOf(freshTenant(), { idempotencyKey }))
        await expect(open).rejects.toMatchObject({ code: 'invalid_request' })
      }
    })
  })
}
