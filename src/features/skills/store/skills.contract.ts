import { describe, expect, test } from 'vitest'
import type { OpenStores } from '../../open-stores.ts'
import { freshTenant } from '../../../store/contract/records.ts'
import { skillOf, skillsOf } from './testing/skill-records.ts'

const by = { kind: 'user', id: 'ada' } as const
const whole = { offset: 0, limit: 1_000_000 }

/** The contents of skills, and the rules that change with them. */
export function describeSkills(store: () => OpenStores): void {
  const keep = async (tenant: string, skill = skillOf()) => {
    await skillsOf(store()).change(tenant, by, (draft) => draft.keepVersion(skill))
    return skill
  }

  describe('skills', () => {
    test('a version is found as it was kept, in its own tenant alone', async () => {
      const skills = skillsOf(store())
      const tenant = freshTenant()
      const skill = await keep(tenant, skillOf({ 'a.bin': '\0\x01', 'b/é.md': 'é' }))
      const { manifest, version } = skill
      expect(await skills.findVersion(tenant, 'notes', version)).toEqual({
        skill: 'notes',
        version,
        manifest,
        files: [
          { path: 'SKILL.md', bytes: 31, isText: true },
          { path: 'a.bin', bytes: 2, isText: false },
          { path: 'b/é.md', bytes: 2, isText: true },
        ],
      })
      expect(
        await skills.findManifests(tenant, [
          { skill: 'notes', version },
          { skill: 'other', version },
          { skill: 'notes', version: 'none' },
        ]),
      ).toEqual([{ skill: 'notes', version, manifest }])
      expect(await skills.findManifests(freshTenant(), [{ skill: 'notes', version }])).toEqual([])
      expect(await skills.findManifests(tenant, [])).toEqual([])
      expect(await skills.findVersion(freshTenant(), 'notes', version)).toBeUndefined()
      expect(await skills.findVersion(tenant, 'other', version)).toBeUndefined()
      expect(await skills.findVersion(tenant, 'notes', '0'.repeat(64))).toBeUndefined()
    })

    test('a file is read in parts, and not by another tenant', async () => {
      const skills = skillsOf(store())
      const tenant = freshTenant()
      const { version } = await keep(tenant, skillOf({ 'a.txt': 'abcdef' }))
      const file = { skill: 'notes', version, path: 'a.txt' }
      const facts = { path: 'a.txt', bytes: 6, isText: true }
      const read = async (offset: number, limit: number) => {
        const page = await skills.readFile(tenant, file, { offset, limit })
        return page && { ...page, chunk: Buffer.from(page.chunk).toString() }
      }
      expect(await read(0, 100)).toEqual({ ...facts, offset: 0, chunk: 'abcdef' })
      expect(await read(2, 3)).toEqual({ ...facts, offset: 2, chunk: 'cde' })
      expect(await read(9, 3)).toEqual({ ...facts, offset: 9, chunk: '' })
      expect(await skills.readFile(freshTenant(), file, whole)).toBeUndefined()
      expect(await skills.readFile(tenant, { ...file, path: 'b.txt' }, whole)).toBeUndefined()
    })

    test('the same version twice is kept once, also when both come together', async () => {
      const tenant = freshTenant()
      const skill = skillOf({ 'a.txt': 'x'.repeat(1000) })
      await Promise.all([keep(tenant, skill), keep(tenant, skill), keep(tenant, skill)])
      const bytes = skill.files.reduce((sum, file) => sum + file.bytes.length, 0)
      const measured = await skillsOf(store()).change(tenant, by, (draft) => draft.measure())
      expect(measured).toEqual({ skills: 1, bytes })
    })

    test('an error in a change rolls back contents, rules and events together', async () => {
      const skills = skillsOf(store())
      const { rules, events } = store()
      const tenant = freshTenant()
      const skill = skillOf()
      const failing = skills.change(tenant, by, async (draft) => {
        await draft.keepVersion(skill)
        await draft.put('skill', 'notes', { body: {} })
        draft.tell('skill.removed', { skill: 'notes', agents: 0 })
        throw new Error('halfway')
      })
      await expect(failing).rejects.toThrow(/halfway/)
      expect(await skills.findVersion(tenant, 'notes', skill.version)).toBeUndefined()
      expect(await rules.find(tenant, 'skill', 'notes')).toBeUndefined()
      expect((await events.read(tenant, { limit: 10 })).items).toEqual([])
    })

    test('one version goes, or all, with their files, and those of others stay', async () => {
      const skills = skillsOf(store())
      const [tenant, foreign] = [freshTenant(), freshTenant()]
      const [one, two, three] = [skillOf(), skillOf({ a: '1' }), skillOf({ a: '2' })]
      const other = skillOf({}, 'notes-2')
      for (const skill of [one, two, three, other]) await keep(tenant, skill)
      await keep(foreign, one)
      await skills.change(tenant, by, (draft) => draft.dropVersions('notes', one.version))
      expect(await skills.findVersion(tenant, 'notes', one.version)).toBeUndefined()
      expect(await skills.findVersion(tenant, 'notes', two.version)).toBeDefined()
      await skills.change(tenant, by, (draft) => draft.dropVersions('notes'))
      expect(await skills.findVersion(tenant, 'notes', three.version)).toBeUndefined()
      expect(await skills.findVersion(tenant, 'notes-2', other.version)).toBeDefined()
      expect(await skills.findVersion(foreign, 'notes', one.version)).toBeDefined()
      const file = { skill: 'notes', version: two.version, path: 'a' }
      expect(await skills.readFile(tenant, file, whole)).toBeUndefined()
    })

    test('agents with a skill are listed in pages, and those with another are not', async () => {
      const skills = skillsOf(store())
      const tenant = freshTenant()
      const pins = ['b/notes', 'a/notes', 'a-b/notes', 'a/notes-2', 'a/other', 'c/notes']
      await skills.change(tenant, by, async (draft) => {
        for (const name of pins) await draft.put('enabled-skill', name, { body: { version: 'v' } })
      })
      const first = await skills.listUsers(tenant, 'notes', { limit: 3 })
      expect(first).toEqual({
        items: ['a-b', 'a', 'b'].map((agent) => ({
          agent,
          version: 'v',
          enabledAt: expect.any(String),
          enabledBy: by,
        })),
        next: 'b',
      })
      const rest = await skills.listUsers(tenant, 'notes', { limit: 3, after: first.next })
      expect(rest.items.map(({ agent }) => agent)).toEqual(['c'])
      expect(await skills.listUsers(freshTenant(), 'notes', { limit: 3 })).toEqual({ items: [] })
      const all = await skills.change(tenant, by, (draft) => draft.listUsers('notes'))
      expect(all.map(({ agent }) => agent)).toEqual(['a-b', 'a', 'b', 'c'])
    })
  })
}
