import { describe, expect, test } from 'vitest'
import { createId } from '../../../core/kernel/ids.ts'
import { freshTenant } from '../../../store/contract/records.ts'
import type { OpenStores } from '../../open-stores.ts'
import { ada, aStoredWorkspace, workspacesOf } from './testing/workspace-records.ts'

/** The table of workspaces. */
export function describeWorkspaces(store: () => OpenStores): void {
  describe('workspaces', () => {
    test('one is found as it was stored, in its own tenant alone', async () => {
      const workspaces = workspacesOf(store())
      const tenant = freshTenant()
      const one = aStoredWorkspace(tenant, { agent: 'coder', uid: 70_001, mode: 'ask' })
      expect(await workspaces.create(one)).toEqual(one)
      expect(await workspaces.find(tenant, one.id)).toEqual(one)
      expect(await workspaces.findOwned(tenant, one.ownerKey)).toEqual(one)
      expect(await workspaces.listKnown([one.id, 'ws_none'])).toEqual(new Set([one.id]))
      expect(await workspaces.listKnown([])).toEqual(new Set())
      expect(await workspaces.find(freshTenant(), one.id)).toBeUndefined()
      expect(await workspaces.findOwned(freshTenant(), one.ownerKey)).toBeUndefined()
      expect(await workspaces.findAll(tenant, [one.id, 'ws_none'])).toEqual([one])
      expect(await workspaces.findAll(freshTenant(), [one.id])).toEqual([])
      const { items } = await store().events.read(tenant, { limit: 10 })
      expect(items.map(({ type, data }) => ({ type, data }))).toEqual([
        { type: 'workspace.created', data: { workspace: one.id, session: 'a session' } },
      ])
    })

    test('two that are created at once for one owner become one', async () => {
      const workspaces = workspacesOf(store())
      const tenant = freshTenant()
      const made = await Promise.all(
        Array.from({ length: 5 }, () =>
          workspaces.create(aStoredWorkspace(tenant, { ownerKey: 'the same' })),
        ),
      )
      expect(new Set(made.map(({ id }) => id)).size).toBe(1)
      expect((await store().events.read(tenant, { limit: 10 })).items).toHaveLength(1)
    })

    test('a removed one is not found, and its owner can have another', async () => {
      const workspaces = workspacesOf(store())
      const tenant = freshTenant()
      const one = await workspaces.create(aStoredWorkspace(tenant, { place: tenant }))
      expect(await workspaces.beginRemoval(one, ada, 'asked')).toBe(true)
      expect(await workspaces.beginRemoval(one, ada, 'asked')).toBe(false)
      expect(await workspaces.find(tenant, one.id)).toBeUndefined()
      expect(await workspaces.setMode({ ...one, mode: 'ask' }, ada)).toBe(false)
      const next = aStoredWorkspace(tenant, { ownerKey: one.ownerKey, place: tenant })
      expect((await workspaces.create(next)).id).toBe(next.id)
      expect(await workspaces.listRemoved(tenant, 10)).toEqual([one])
      expect(await workspaces.listRemoved('elsewhere', 10)).toEqual([])
      await workspaces.endRemoval(tenant, one.id)
      await workspaces.endRemoval(tenant, next.id)
      expect(await workspaces.listRemoved(tenant, 10)).toEqual([])
      expect(await workspaces.find(tenant, next.id)).toEqual(next)
    })

    test('a change that may forbid something notes its tenant, and a use does not', async () => {
      const workspaces = workspacesOf(store())
      const tenant = freshTenant()
      const { rules } = store()
      const one = await workspaces.create(aStoredWorkspace(tenant))
      const isNoted = async (work: () => Promise<unknown>) => {
        const { mark } = await rules.changes()
        await work()
        return (await rules.changes(mark)).tenants.includes(tenant)
      }
      expect(await isNoted(() => workspaces.note(tenant, one.id, { bytes: 1, files: 1 }))).toBe(
        false,
      )
      expect(await isNoted(() => workspaces.setMode({ ...one, mode: 'ask' }, ada))).toBe(true)
      expect(await isNoted(() => workspaces.beginRemoval(one, ada, 'asked'))).toBe(true)
    })

    test('lists are in pages, newest first, and narrowed by session and principal', async () => {
      const workspaces = workspacesOf(store())
      const tenant = freshTenant()
      const eve = { kind: 'user', id: 'eve' } as const
      const made = [
        await workspaces.create(aStoredWorkspace(tenant)),
        await workspaces.create(aStoredWorkspace(tenant, { sessionId: 'other' })),
        await workspaces.create(aStoredWorkspace(tenant, { principal: eve, sessionId: undefined })),
      ].toReversed()
      const first = await workspaces.list(tenant, { limit: 2 })
      expect(first).toEqual({ items: made.slice(0, 2), next: made[1]?.id })
      expect(await workspaces.list(tenant, { limit: 2, after: first.next })).toEqual({
        items: made.slice(2),
      })
      const ids = async (query: object) =>
        (await workspaces.list(tenant, { limit: 9, ...query })).items.map(({ id }) => id)
      expect(await ids({ principal: eve })).toEqual([made[0]?.id])
      expect(await ids({ sessionId: 'other' })).toEqual([made[1]?.id])
    })

    test('those of one folder are listed for all tenants in pages, without removed ones', async () => {
      const workspaces = workspacesOf(store())
      const place = freshTenant()
      const made = []
      for (const tenant of [freshTenant(), freshTenant(), freshTenant()]) {
        made.push(await workspaces.create(aStoredWorkspace(tenant, { place })))
      }
      await workspaces.create(aStoredWorkspace(freshTenant()))
      const [gone, ...left] = made
      if (gone !== undefined) await workspaces.beginRemoval(gone, ada, 'asked')
      left.sort((one, other) => (one.id < other.id ? -1 : 1))
      const first = await workspaces.listPlace(place, { limit: 1 })
      expect(first).toEqual({ items: left.slice(0, 1), next: left[0]?.id })
      expect(await workspaces.listPlace(place, { limit: 5, after: first.next })).toEqual({
        items: left.slice(1),
      })
    })

    test('idle ones and those of deleted conversations are found, and no others', async () => {
      const workspaces = workspacesOf(store())
      const tenant = freshTenant()
      const now = store().now()
      const at = { place: tenant, createdMs: now, usedMs: now }
      const conversation = `conv_${createId('x').slice(2)}`
      await workspaces.create(aStoredWorkspace(tenant, at))
      const idle = await workspaces.create(aStoredWorkspace(tenant, { ...at, usedMs: 5 }))
      const orphan = await workspaces.create(
        aStoredWorkspace(tenant, { ...at, sessionId: conversation }),
      )
      const found = async (createdBeforeMs: number) => {
        const query = { usedBeforeMs: 1000, createdBeforeMs, limit: 10 }
        const rows = await workspaces.listUnused(tenant, query)
        return Object.fromEntries(rows.map(({ id, because }) => [id, because]))
      }
      expect(await found(now + 1)).toEqual({
        [idle.id]: 'idle',
        [orphan.id]: 'conversation deleted',
      })
      expect(await found(now)).toEqual({ [idle.id]: 'idle' })
      await workspaces.note(tenant, idle.id, { bytes: 7, files: 2 })
      expect(await found(now)).toEqual({})
      expect(await workspaces.find(tenant, idle.id)).toMatchObject({ bytes: 7, files: 2 })
    })

    test('each tenant has one user id, which no other tenant ever gets', async () => {
      const workspaces = workspacesOf(store())
      const [one, other] = [freshTenant(), freshTenant()]
      const uid = await workspaces.userOf(one, 70_000)
      expect(uid).toBeGreaterThanOrEqual(70_000)
      const row = await workspaces.create(aStoredWorkspace(one, { uid }))
      expect(await workspaces.userOf(one, 70_000)).toBe(uid)
      const next = await workspaces.userOf(other, 70_000)
      expect(next).toBeGreaterThan(uid)
      await workspaces.beginRemoval(row, ada, 'asked')
      await workspaces.endRemoval(one, row.id)
      expect(await workspaces.userOf(freshTenant(), 70_000)).toBeGreaterThan(next)
      expect(await workspaces.userOf(freshTenant(), 90_000)).toBeGreaterThanOrEqual(90_000)
    })
  })
}
