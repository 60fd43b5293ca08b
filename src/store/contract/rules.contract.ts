import { describe, expect, test } from 'vitest'
import type { JsonValue } from '../../core/kernel/json.ts'
import type { Stores } from '../../features/stores.ts'
import { freshTenant } from './records.ts'

const anna = { kind: 'user', id: 'anna' } as const
const ben = { kind: 'user', id: 'ben' } as const

/** Documents that operators decide, and how others hear of them. */
export function describeRules(
  store: () => Stores,
  { openOther }: { openOther?: () => Promise<Stores> } = {},
): void {
  describe('rules', () => {
    test('one change records an event for each thing it changed', async () => {
      const tenant = freshTenant()
      await store().rules.change(tenant, { kind: 'user', id: 'owner' }, async (draft) => {
        for (let at = 0; at < 7_000; at += 1) draft.tell('agent.changed', { agent: `a${at}` })
      })
      const { items } = await store().events.read(tenant, { limit: 10_000 })
      expect(items.length).toBeGreaterThan(0)
      expect(items[0]).toMatchObject({ type: 'agent.changed', data: { agent: 'a0' } })
    })

    test('a rule is written with its author, counts its versions, and is recorded in the same transaction', async () => {
      const tenant = freshTenant()
      const { rules, events } = store()
      const rule = await rules.change(tenant, anna, async (draft) => {
        draft.tell('policy.changed', { kind: 'policy', name: 'x', change: 'created' })
        return draft.put('policy', 'x', { body: { allow: ['a\0b', '\ud800'] } })
      })
      expect(rule).toEqual({
        tenant,
        kind: 'policy',
        name: 'x',
        body: { allow: ['a\0b', '\ud800'] },
        isDeclared: false,
        version: 1,
        updatedAt: expect.any(String),
        updatedBy: anna,
      })
      expect(await rules.find(tenant, 'policy', 'x')).toEqual(rule)
      await rules.change(tenant, ben, (draft) => draft.put('policy', 'x', { body: null }))
      expect(await rules.find(tenant, 'policy', 'x')).toMatchObject({
        body: null,
        version: 2,
        updatedBy: ben,
      })
      const { items } = await events.read(tenant, { limit: 10 })
      expect(items).toMatchObject([
        { type: 'policy.changed', principal: anna, data: { name: 'x' } },
      ])
    })

    test('of many names at once those that are new are written, and others hear of it', async () => {
      const tenant = freshTenant()
      const { rules } = store()
      const { mark } = await rules.changes(undefined)
      await rules.change(tenant, anna, (draft) => draft.put('mcp-pin', 'a/1', { body: 'kept' }))
      await rules.change(tenant, ben, async (draft) => {
        await draft.putNew('mcp-pin', new Map())
        const bodies = new Map([0, 1, 2].map((number) => [`a/${number}`, { number }] as const))
        await draft.putNew('mcp-pin', bodies)
      })
      expect(await rules.read(tenant, ['mcp-pin'])).toMatchObject([
        { name: 'a/0', body: { number: 0 }, version: 1, updatedBy: ben, isDeclared: false },
        { name: 'a/1', body: 'kept', version: 1, updatedBy: anna },
        { name: 'a/2', body: { number: 2 }, updatedBy: ben },
      ])
      const heard = await rules.changes(mark)
      expect(heard.tenants).toContain(tenant)
      await rules.change(tenant, ben, (draft) => draft.delete('mcp-pin', 'a/2'))
      expect((await rules.changes(heard.mark)).tenants).toContain(tenant)
    })

    test('the document under a name has a mark that changes whenever it is written', async () => {
      const tenant = freshTenant()
      const { rules } = store()
      const put = (name: string, body: JsonValue) =>
        rules.change(tenant, anna, (draft) => draft.put('mcp-pin', name, { body }))
      for (const name of ['a/2', 'a/1', 'ab/1']) await put(name, name)
      const under = await rules.readUnder(tenant, 'mcp-pin', 'a/')
      expect(under).toMatchObject([
        { name: 'a/1', body: 'a/1' },
        { name: 'a/2', body: 'a/2' },
      ])
      const marks = () => rules.marksUnder(tenant, 'mcp-pin', 'a/')
      const before = await marks()
      expect([...before.keys()].toSorted()).toEqual(['a/1', 'a/2'])
      expect(await marks()).toEqual(before)
      await put('a/1', 'a/1')
      const written = await marks()
      expect(written.get('a/1')).not.toBe(before.get('a/1'))
      expect(written.get('a/2')).toBe(before.get('a/2'))
      await rules.change(tenant, anna, (draft) => draft.delete('mcp-pin', 'a/2'))
      expect([...(await marks()).keys()]).toEqual(['a/1'])
      await put('a/2', 'another')
      expect((await marks()).get('a/2')).not.toBe(written.get('a/2'))
    })

    test('all under one name go at once, and nothing of another', async () => {
      const [tenant, other] = [freshTenant(), freshTenant()]
      const { rules } = store()
      const names = ['a_b/1', 'a_b/2', 'axb/1', 'a_b', 'A_b/1']
      const bodies = new Map(names.map((name) => [name, null]))
      for (const each of [tenant, other]) {
        await rules.change(each, anna, (draft) => draft.putNew('mcp-pin', bodies))
      }
      await rules.change(tenant, anna, (draft) => draft.put('policy', 'a_b/1', { body: null }))
      const { mark } = await rules.changes(undefined)
      await rules.change(tenant, anna, (draft) => draft.deleteUnder('mcp-pin', 'a_b/'))
      const left = await rules.read(tenant, ['mcp-pin', 'policy'])
      expect(left.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
        'mcp-pin A_b/1',
        'mcp-pin a_b',
        'mcp-pin axb/1',
        'policy a_b/1',
      ])
      expect(await rules.read(other, ['mcp-pin'])).toHaveLength(names.length)
      expect((await rules.changes(mark)).tenants).toContain(tenant)
    })

    test('a change that fails leaves no rule and no event', async () => {
      const tenant = freshTenant()
      const { rules, events } = store()
      const failing = rules.change(tenant, anna, async (draft) => {
        await draft.put('agent', 'a', { body: 1 })
        draft.tell('agent.created', { agent: 'a' })
        throw new Error('halfway')
      })
      await expect(failing).rejects.toThrow('halfway')
      expect(await rules.find(tenant, 'agent', 'a')).toBeUndefined()
      expect((await events.read(tenant, { limit: 10 })).items).toEqual([])
    })

    test('changes of one tenant take turns: nobody overwrites what it has not seen', async () => {
      const tenant = freshTenant()
      const { rules } = store()
      await Promise.all(
        Array.from({ length: 12 }, () =>
          rules.change(tenant, anna, async (draft) => {
            const count = (await draft.find('group', 'n'))?.body ?? 0
            await draft.put('group', 'n', { body: Number(count) + 1 })
          }),
        ),
      )
      expect(await rules.find(tenant, 'group', 'n')).toMatchObject({ body: 12, version: 12 })
    })

    test('rules are read by kind and paged by name, each tenant its own', async () => {
      const [tenant, other] = [freshTenant(), freshTenant()]
      const { rules } = store()
      await rules.change(tenant, anna, async (draft) => {
        for (const name of ['c', 'a', 'b']) await draft.put('agent', name, { body: name })
        await draft.put('pack', 'web', { body: true, isDeclared: true })
      })
      await rules.change(other, anna, (draft) => draft.put('agent', 'z', { body: 1 }))
      const names = (found: { name: string }[]) => found.map(({ name }) => name)
      expect(names(await rules.read(tenant, ['pack', 'agent']))).toEqual(['a', 'b', 'c', 'web'])
      expect(await rules.read(tenant, [])).toEqual([])
      const first = await rules.page(tenant, 'agent', { limit: 2 })
      expect([names(first.items), first.next]).toEqual([['a', 'b'], 'b'])
      const rest = await rules.page(tenant, 'agent', { limit: 2, after: first.next })
      expect([names(rest.items), rest.next]).toEqual([['c'], undefined])
      await rules.change(tenant, anna, async (draft) => {
        expect(names(await draft.list('agent'))).toEqual(['a', 'b', 'c'])
        expect(await draft.delete('agent', 'a')).toBe(true)
        expect(await draft.delete('agent', 'a')).toBe(false)
        expect(await draft.delete('agent', 'z')).toBe(false)
      })
      expect(await rules.find(other, 'agent', 'z')).toMatchObject({ body: 1 })
    })

    test('a page of what is looked for goes by words of name, title and description, across many rows', async () => {
      const [tenant, other] = [freshTenant(), freshTenant()]
      const { rules } = store()
      const words = { description: 'Zu\u0308rich "desk"', instructions: 'invoice' }
      await rules.change(tenant, anna, async (draft) => {
        for (let at = 0; at < 450; at += 1) {
          const body = at % 150 === 149 ? { name: `Front ${at}`, ...words } : words
          await draft.put('agent', `a${String(at).padStart(3, '0')}`, { body })
        }
        await draft.put('agent', 'b-Invoice', { body: 'not an object' })
        await draft.put('agent', 'c', { body: { name: 'x', model: '%_\\' } })
      })
      await rules.change(other, anna, (draft) => draft.put('agent', 'invoice', { body: {} }))
      const find = async (q: string, query: { after?: string; limit?: number } = {}) => {
        const { items, next } = await rules.page(tenant, 'agent', { limit: 2, q, ...query })
        return [items.map(({ name }) => name), next]
      }
      expect(await find('front 44')).toEqual([['a449'], undefined])
      expect(await find('FRONT 9')).toEqual([['a149', 'a299'], 'a299'])
      expect(await find('FRONT 9', { after: 'a299' })).toEqual([['a449'], undefined])
      expect(await find('INVOICE')).toEqual([['b-Invoice'], undefined])
      expect(await find('zürich a01', { limit: 20 })).toEqual([
        Array.from({ length: 10 }, (_, at) => `a01${at}`),
        undefined,
      ])
      expect(await find('"desk" a000')).toEqual([['a000'], undefined])
      expect(await find('%_\\')).toEqual([['c'], undefined])
      expect(await find('%')).toEqual([['c'], undefined])
      expect(await find(' ')).toEqual([['a000', 'a001'], 'a001'])
      expect(await find('nothing is called so')).toEqual([[], undefined])
    })

    test('a reader that looks after a change learns of its tenant, once', async () => {
      const tenant = freshTenant()
      const { rules } = store()
      const { mark, tenants } = await rules.changes()
      expect(tenants).toEqual([])
      await rules.change(tenant, anna, (draft) => draft.put('agent', 'a', { body: 1 }))
      const found = await rules.changes(mark)
      expect(found.tenants).toContain(tenant)
      expect((await rules.changes(found.mark)).tenants).not.toContain(tenant)
      await rules.change(tenant, anna, (draft) => draft.delete('agent', 'a'))
      expect((await rules.changes(found.mark)).tenants).toContain(tenant)
    })

    test('the catalogue knows since when a tool is here or gone', async () => {
      const { catalogue } = store()
      const name = `tool.${freshTenant()}`
      const read = async (state?: 'present' | 'gone') =>
        (await catalogue.list({ state, limit: 1000 })).items.filter((one) => one.name === name)
      const none = { present: [], gone: [], forgotten: [] }
      await catalogue.write({ ...none, present: [{ name, title: 'One' }], at: 1 })
      await catalogue.write({ ...none, present: [{ name, title: 'Two' }], at: 2 })
      expect(await read('present')).toEqual([{ name, title: 'Two', firstSeenMs: 1 }])
      await catalogue.write({ ...none, gone: [name], at: 3 })
      await catalogue.write({ ...none, gone: [name], at: 4 })
      expect(await read()).toEqual([{ name, title: 'Two', firstSeenMs: 1, goneMs: 3 }])
      expect(await read('present')).toEqual([])
      await catalogue.write({ ...none, present: [{ name, title: 'Two' }], at: 5 })
      expect(await read('gone')).toEqual([])
      await catalogue.write({ ...none, forgotten: [name], at: 6 })
      expect(await read()).toEqual([])
    })
  })
  if (openOther === undefined) return
  test('a change that waits for the embedded store inside itself fails instead of hanging', async ({
    skip,
  }) => {
    skip(store().kind !== 'pglite', 'a server has other connections')
    const tenant = freshTenant()
    const wrong = store().rules.change(tenant, anna, () => store().rules.read(tenant, ['agent']))
    await expect(wrong).rejects.toThrow('in the middle of one of its own transactions')
    expect(await store().rules.read(tenant, ['agent'])).toEqual([])
  })
  describe('rules on two nodes', () => {
    test('a change that commits late is not missed by a reader that looked in between', async ({
      skip,
    }) => {
      skip(store().kind === 'pglite', 'the embedded store has one transaction at a time')
      const [early, late] = [freshTenant(), freshTenant()]
      const other = await openOther()
      try {
        let { mark } = await other.rules.changes()
        const heard = new Set<string>()
        const look = async () => {
          const found = await other.rules.changes(mark)
          ;({ mark } = found)
          for (const tenant of found.tenants) heard.add(tenant)
        }
        const begun = Promise.withResolvers<void>()
        const go = Promise.withResolvers<void>()
        const slow = store().rules.change(early, anna, async (draft) => {
          await draft.put('agent', 'a', { body: 1 })
          begun.resolve()
          await go.promise
        })
        await begun.promise
        await other.rules.change(late, ben, (draft) => draft.put('agent', 'b', { body: 1 }))
        await look()
        expect([heard.has(early), heard.has(late)]).toEqual([false, true])
        go.resolve()
        await slow
        await look()
        expect(heard.has(early)).toBe(true)
      } finally {
        await other.close()
      }
    })

    test('a written, rewritten or deleted secret is a change of its tenant', async () => {
      const tenant = freshTenant()
      let { mark } = await store().rules.changes()
      for (const value of ['a long enough value', 'another long value']) {
        await store().secrets.write({ tenant }, 'name', value)
        const found = await store().rules.changes(mark)
        ;({ mark } = found)
        expect(found.tenants).toContain(tenant)
      }
      await store().secrets.delete({ tenant }, 'name')
      expect((await store().rules.changes(mark)).tenants).toContain(tenant)
    })
  })
}
