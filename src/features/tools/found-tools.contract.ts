import { describe, expect, test } from 'vitest'
import { foundAtMost } from '../../core/kernel/context/tool-finder.ts'
import type { Stores } from '../stores.ts'
import { freshTenant } from '../../store/contract/records.ts'

/** The contract of every store for tools that conversations have found. */
export function describeFoundTools(store: () => Stores): void {
  describe('found tools', () => {
    test('the tools that a conversation has found stay its own', async () => {
      const tenant = freshTenant()
      await store().foundTools.add(tenant, 's1', ['file.read', 'billing.find', 'file.read'])
      expect((await store().foundTools.read(tenant, 's1')).toSorted()).toEqual([
        'billing.find',
        'file.read',
      ])
      expect(await store().foundTools.read(tenant, 's2')).toEqual([])
      expect(await store().foundTools.read(freshTenant(), 's1')).toEqual([])
    })

    test('the oldest go where there are too many, and what is found again counts as new', async () => {
      const tenant = freshTenant()
      const wait = () => new Promise((resolve) => setTimeout(resolve, 2))
      await store().foundTools.add(tenant, 's', ['first', 'kept'])
      await wait()
      await store().foundTools.add(tenant, 's', ['kept'])
      await wait()
      const many = Array.from({ length: foundAtMost - 1 }, (_, index) => `tool.t${index}`)
      await store().foundTools.add(tenant, 's', many)
      const left = await store().foundTools.read(tenant, 's')
      expect(left).toHaveLength(foundAtMost)
      expect(left[0]).toBe('kept')
    })

    test('an earlier reader is notified of tools found later', async () => {
      const tenant = freshTenant()
      expect(await store().foundTools.read(tenant, 's')).toEqual([])
      await store().foundTools.add(tenant, 's', ['a.a'])
      expect(await store().foundTools.read(tenant, 's')).toEqual(['a.a'])
    })

    test('many find the same at once', async () => {
      const tenant = freshTenant()
      const names = ['a.a', 'b.b', 'c.c']
      await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          store().foundTools.add(tenant, 's', index % 2 === 0 ? names : names.toReversed()),
        ),
      )
      expect((await store().foundTools.read(tenant, 's')).toSorted()).toEqual(names)
    })
  })
}
