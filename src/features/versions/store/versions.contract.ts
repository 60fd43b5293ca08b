import { describe, expect, test } from 'vitest'
import type { Principal } from '../../../core/kernel/call.ts'
import type { JsonValue } from '../../../core/kernel/json.ts'
import { freshTenant } from '../../../store/contract/records.ts'
import type { OpenStore } from '../../../store/open-store.ts'
import { createVersionStore } from './version-store.ts'

const ada = { kind: 'user', id: 'ada' } as const
const bob = { kind: 'user', id: 'bob' } as const

/** Documents as they were, addressed by their content. */
export function describeVersions(store: () => OpenStore): void {
  const versionsOf = () => createVersionStore(store().engine)
  const keepAs = (
    tenant: string,
    by: Principal,
    { name, body }: { name: string; body: JsonValue },
  ) =>
    versionsOf().change(tenant, by, (draft) =>
      draft.keepVersion('tool', name, { body, note: `by ${by.id}` }),
    )
  const keep = (tenant: string, name: string, body: JsonValue) =>
    keepAs(tenant, ada, { name, body })

  describe('versions', () => {
    test('a version is found by its content, in its own tenant alone', async () => {
      const tenant = freshTenant()
      const body = { text: 'nul \u0000 and \ud83d\ude00', list: [1, { deep: null }] }
      const kept = await keep(tenant, 'demo.hello', body)
      expect(kept).toMatchObject({ name: 'demo.hello', number: 1, note: 'by ada', createdBy: ada })
      expect(kept.hash).toMatch(/^[0-9a-f]{12}$/)
      expect(await versionsOf().find(tenant, 'tool', kept)).toEqual({ ...kept, body })
      expect(await versionsOf().find(freshTenant(), 'tool', kept)).toBeUndefined()
      const other = { ...kept, name: 'demo.other' }
      expect(await versionsOf().find(tenant, 'tool', other)).toBeUndefined()
    })

    test('identical content makes no new version, whatever the order of its keys', async () => {
      const tenant = freshTenant()
      const first = await keep(tenant, 'demo.hello', { a: 1, b: 2 })
      const second = await keep(tenant, 'demo.hello', { a: 2 })
      expect(await keepAs(tenant, bob, { name: 'demo.hello', body: { b: 2, a: 1 } })).toEqual(first)
      expect(second.number).toBe(2)
      // The same content under another name is that tool's first version.
      expect(await keep(tenant, 'demo.other', { a: 1, b: 2 })).toMatchObject({
        hash: first.hash,
        number: 1,
      })
    })

    test('versions made at once get different numbers', async () => {
      const tenant = freshTenant()
      const made = await Promise.all(
        Array.from({ length: 8 }, (_, index) => keep(tenant, 'demo.hello', { index })),
      )
      const numbers = made.map(({ number }) => number).toSorted((left, right) => left - right)
      expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    })

    test('only the latest versions of one name and kind are left', async () => {
      const tenant = freshTenant()
      for (const index of [1, 2, 3, 4]) await keep(tenant, 'demo.hello', { index })
      await versionsOf().change(tenant, ada, async (draft) => {
        await draft.dropVersions('draft', 'demo.hello', 0)
        await draft.dropVersions('tool', 'demo.hello', 2)
      })
      const of = { kind: 'tool', name: 'demo.hello' } as const
      const { items } = await versionsOf().list(tenant, of, { limit: 9 })
      expect(items.map(({ number }) => number)).toEqual([4, 3])
    })

    test('a list is paged, the latest first', async () => {
      const tenant = freshTenant()
      for (const index of [1, 2, 3]) await keep(tenant, 'demo.hello', { index })
      const of = { kind: 'tool', name: 'demo.hello' } as const
      const page = await versionsOf().list(tenant, of, { limit: 2 })
      expect(page).toMatchObject({ items: [{ number: 3 }, { number: 2 }], next: '2' })
      expect(await versionsOf().list(tenant, of, { limit: 2, after: 2 })).toMatchObject({
        items: [{ number: 1 }],
      })
    })

    test('many are read at once; missing ones are left out', async () => {
      const tenant = freshTenant()
      const names = Array.from({ length: 50 }, (_, index) => `demo.tool${index}`)
      const kept = []
      for (const name of names) kept.push(await keep(tenant, name, { name }))
      const gone = { name: 'demo.gone', hash: '0'.repeat(12) }
      const bodies = await versionsOf().readBodies(tenant, 'tool', [...kept, gone])
      expect(bodies).toEqual(new Map(names.map((name) => [name, { name }])))
      expect(await versionsOf().readBodies(tenant, 'tool', [])).toEqual(new Map())
    })

    test('a version is kept with its rule, or not at all', async () => {
      const tenant = freshTenant()
      const failing = versionsOf().change(tenant, ada, async (draft) => {
        await draft.keepVersion('tool', 'demo.hello', { body: {} })
        throw new Error('no')
      })
      await expect(failing).rejects.toThrow('no')
      const { items } = await versionsOf().list(
        tenant,
        { kind: 'tool', name: 'demo.hello' },
        { limit: 10 },
      )
      expect(items).toEqual([])
    })
  })
}
