import { afterEach, describe, expect, test } from 'vitest'
import type { Crib } from '../../src/app/index.ts'
import { ownerOf } from '../../src/app/owner.ts'
import { skillBounds } from '../../src/features/skills/model.ts'
import { codeOf, openSkillCrib, owner, seenBy, zipOf } from './skill-crib.ts'

let crib: Crib
afterEach(() => crib.close())

async function open(...given: Parameters<typeof openSkillCrib>): Promise<Crib['api']> {
  crib = await openSkillCrib(...given)
  return crib.api
}

const reading = ['skill.list', 'skill.read']
const first = zipOf('name: helper\ntools: [work.one, work.two]')
const second = zipOf('name: helper\ntools: [work.two, work.three]')

async function typesOf(prefix: RegExp): Promise<string[]> {
  const types: string[] = []
  for await (const { type } of crib.events()) if (prefix.test(type)) types.push(type)
  return types
}

describe('installing', () => {
  test('the same content is one version, and what is odd is said', async () => {
    const api = await open()
    const zip = zipOf('name: helper\ntools: [work.one, work.none, "gone.*"]\ncolour: red')
    const receipt = await api.installSkill(owner, { zip })
    expect(receipt).toEqual({
      name: 'helper',
      version: expect.stringMatching(/^[0-9a-f]{64}$/),
      isNew: true,
      manifest: {
        name: 'helper',
        description: 'A skill for tests',
        tools: ['work.one', 'work.none', 'gone.*'],
        metadata: { colour: 'red' },
      },
      files: 1,
      bytes: expect.any(Number),
      warnings: [expect.stringMatching(/colour/), expect.stringMatching(/no permissions/)],
      unknownTools: ['work.none', 'gone.*'],
      dropped: [],
    })
    expect(await api.installSkill(owner, { zip })).toEqual({ ...receipt, isNew: false })
    const { items } = await api.listSkills(owner, { limit: 10 })
    expect(items).toEqual([
      {
        name: 'helper',
        description: 'A skill for tests',
        version: receipt.version,
        versions: 1,
        isDeclared: false,
        installedAt: expect.any(String),
        installedBy: owner.principal,
      },
    ])
    expect(await typesOf(/^skill/)).toEqual(['skill.installed'])
  })

  test('a tool of another tenant counts as unknown, and what policy does not know is refused', async () => {
    const api = await open()
    const receipt = await api.installSkill(owner, { zip: zipOf('name: a\ntools: [work.foreign]') })
    expect(receipt.unknownTools).toEqual(['work.foreign'])
    const other = ownerOf('other')
    const theirs = await api.installSkill(other, { zip: zipOf('name: a\ntools: [work.foreign]') })
    expect(theirs.unknownTools).toEqual([])
    for (const bad of ['tools: ["group:no"]', 'permissions: ["a b"]', 'permissions: {profile: no}'])
      expect(await codeOf(api.installSkill(owner, { zip: zipOf(`name: b\n${bad}`) }))).toBe(
        'invalid_skill',
      )
    expect(await codeOf(api.findSkill(owner, { name: 'b' }))).toBe('not_found')
  })

  test('two at once of the same and of other versions all end up in the list, once', async () => {
    const api = await open()
    const receipts = await Promise.all(
      [first, second, first, second, first].map((zip) => api.installSkill(owner, { zip })),
    )
    expect(receipts.filter(({ isNew }) => isNew)).toHaveLength(2)
    expect((await api.findSkill(owner, { name: 'helper' })).versions).toHaveLength(2)
  })

  test('an old content that comes again is the newest', async () => {
    const api = await open()
    const one = await api.installSkill(owner, { zip: first })
    await api.installSkill(owner, { zip: second })
    expect((await api.installSkill(owner, { zip: first })).isNew).toBe(false)
    const { version, versions } = await api.findSkill(owner, { name: 'helper' })
    expect([version, versions.length]).toEqual([one.version, 2])
  })

  test('beyond the bound the oldest version that no agent has goes, and that is said', async () => {
    const api = await open()
    const install = (n: number) =>
      api.installSkill(owner, { zip: zipOf('name: helper', { n: String(n) }) })
    const oldest = await install(0)
    await api.enableSkill(owner, { slug: 'bare', name: 'helper' })
    const next = await install(1)
    for (let n = 2; n < skillBounds.versions; n += 1) await install(n)
    const { dropped } = await install(skillBounds.versions)
    expect(dropped).toEqual([next.version])
    const { versions } = await api.findSkill(owner, { name: 'helper' })
    expect(versions).toHaveLength(skillBounds.versions)
    expect(versions.at(-1)?.version).toBe(oldest.version)
  })
})

describe('an agent with a skill', () => {
  test('sees the tools it requires; another version replaces them, going back brings them back', async () => {
    const api = await open()
    const one = await api.installSkill(owner, { zip: first })
    const pin = { slug: 'bare', name: 'helper' }
    expect(await api.enableSkill(owner, { ...pin, dryRun: true })).toMatchObject({
      isDryRun: true,
      grants: { added: ['work.one', 'work.two', ...reading] },
    })
    expect(await seenBy(crib, 'bare')).toEqual([])
    await api.enableSkill(owner, pin)
    expect(await seenBy(crib, 'bare')).toEqual([...reading, 'work.one', 'work.two'])
    const two = await api.installSkill(owner, { zip: second })
    expect(await seenBy(crib, 'bare')).toEqual([...reading, 'work.one', 'work.two'])
    expect(await api.enableSkill(owner, pin)).toEqual({
      agent: 'bare',
      skill: 'helper',
      version: two.version,
      previous: one.version,
      grants: { added: ['work.three'], removed: ['work.one'], kept: [] },
      unknownTools: [],
      isDryRun: false,
    })
    expect(await seenBy(crib, 'bare')).toEqual([...reading, 'work.three', 'work.two'])
    await api.enableSkill(owner, { ...pin, version: one.version.slice(0, 8) })
    expect(await seenBy(crib, 'bare')).toEqual([...reading, 'work.one', 'work.two'])
    await api.disableSkill(owner, pin)
    expect(await seenBy(crib, 'bare')).toEqual([])
    expect(await crib.api.listAgentSkills(owner, { slug: 'bare' })).toEqual({ items: [] })
  })

  test('keeps what another skill or its own grants hold', async () => {
    const api = await open()
    await api.installSkill(owner, { zip: first })
    await api.installSkill(owner, { zip: zipOf('name: second\ntools: [work.two]') })
    for (const name of ['helper', 'second']) await api.enableSkill(owner, { slug: 'bare', name })
    const change = await api.disableSkill(owner, { slug: 'bare', name: 'helper' })
    expect(change.grants).toEqual({
      added: [],
      removed: ['work.one'],
      kept: ['work.two', ...reading],
    })
    expect(await seenBy(crib, 'bare')).toEqual([...reading, 'work.two'])
  })

  test('is told of once for every change, and not for the same again', async () => {
    const api = await open()
    await api.installSkill(owner, { zip: zipOf('name: helper\ntools: [work.one]') })
    const pin = { slug: 'bare', name: 'helper' }
    await api.enableSkill(owner, pin)
    await api.enableSkill(owner, pin)
    await api.disableSkill(owner, pin)
    expect(await typesOf(/^(?:skill|grant)/)).toEqual([
      'skill.installed',
      ...Array.from({ length: 3 }, () => 'grant.added'),
      'skill.enabled',
      ...Array.from({ length: 3 }, () => 'grant.removed'),
      'skill.disabled',
    ])
  })

  test('changed by many at once ends with one version and exactly its grants', async () => {
    const api = await open()
    const versions = [
      await api.installSkill(owner, { zip: first }),
      await api.installSkill(owner, { zip: second }),
    ]
    const pin = { slug: 'bare', name: 'helper' }
    await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        api.enableSkill(owner, { ...pin, version: versions[at % 2]?.version }),
      ),
    )
    const {
      items: [held],
    } = await api.listAgentSkills(owner, { slug: 'bare' })
    const wanted = versions.find(({ version }) => version === held?.version)?.manifest.tools ?? []
    expect(await seenBy(crib, 'bare')).toEqual([...reading, ...wanted].toSorted())
  })

  test('a skill, version or agent that is not there is not found', async () => {
    const api = await open()
    await api.installSkill(owner, { zip: first })
    const enable = (pin: Parameters<typeof api.enableSkill>[1]) =>
      codeOf(api.enableSkill(owner, pin))
    expect(await enable({ slug: 'bare', name: 'none' })).toBe('not_found')
    expect(await enable({ slug: 'none', name: 'helper' })).toBe('not_found')
    for (const version of ['0'.repeat(64), 'short', '%'])
      expect(await enable({ slug: 'bare', name: 'helper', version })).toBe('not_found')
    expect(await codeOf(api.disableSkill(owner, { slug: 'bare', name: 'helper' }))).toBe(
      'not_found',
    )
    expect(await codeOf(api.listAgentSkills(owner, { slug: 'none' }))).toBe('not_found')
  })
})

describe('removing', () => {
  test('is refused with the agents that have it; forced, it takes grants along', async () => {
    const api = await open()
    await api.installSkill(owner, { zip: first })
    await api.enableSkill(owner, { slug: 'bare', name: 'helper' })
    await expect(api.removeSkill(owner, { name: 'helper' })).rejects.toMatchObject({
      code: 'conflict',
      message: 'The agent has the skill helper: bare',
    })
    await api.removeSkill(owner, { name: 'helper', force: true })
    expect(await seenBy(crib, 'bare')).toEqual([])
    expect(await api.listSkills(owner, { limit: 5 })).toEqual({ items: [] })
    expect(await codeOf(api.removeSkill(owner, { name: 'helper', force: true }))).toBe('not_found')
  })
})

describe('reading', () => {
  test('its tools are offered to agents that have a skill, as long as they have one, and to nobody else', async () => {
    const api = await open({ agents: [{ slug: 'bare', tools: { allow: ['*'] } }] })
    const offered = async (agent?: string) =>
      Object.keys((await crib.toolSet({ agent })).tools).filter((name) => name.startsWith('skill_'))
    expect([await offered(), await offered('bare')]).toEqual([[], []])
    await api.installSkill(owner, { zip: first })
    expect([await offered(), await offered('bare')]).toEqual([[], []])
    const pin = { slug: 'bare', name: 'helper' }
    await api.enableSkill(owner, pin)
    expect([await offered(), await offered('bare')]).toEqual([[], ['skill_list', 'skill_read']])
    await api.disableSkill(owner, pin)
    expect(await offered('bare')).toEqual([])
  })
})

describe('who may', () => {
  test('another tenant finds nothing, and has its own of the same name', async () => {
    const api = await open()
    const other = ownerOf('other')
    const { version } = await api.installSkill(owner, { zip: first })
    expect(await api.listSkills(other, { limit: 5 })).toEqual({ items: [] })
    const pin = { slug: 'bare', name: 'helper' }
    const attempts = [
      api.findSkill(other, { name: 'helper' }),
      api.readSkillFile(other, { name: 'helper', path: 'SKILL.md', version }),
      api.removeSkill(other, { name: 'helper', force: true }),
      api.enableSkill(other, pin),
      api.disableSkill(other, pin),
    ]
    for (const attempt of attempts) expect(await codeOf(attempt)).toBe('not_found')
    await api.installSkill(other, { zip: second })
    await api.enableSkill(owner, pin)
    await api.enableSkill(other, pin)
    await api.removeSkill(other, { name: 'helper', force: true })
    expect(await seenBy(crib, 'bare')).toEqual([...reading, 'work.one', 'work.two'])
  })

  test('each step needs its permission, and a key bound to an agent changes nothing', async () => {
    const api = await open()
    await api.installSkill(owner, { zip: first })
    const as = (...permissions: string[]) => ({ ...owner, permissions })
    const pin = { slug: 'bare', name: 'helper' }
    expect(await codeOf(api.installSkill(as('agents.manage'), { zip: first }))).toBe('forbidden')
    expect(await codeOf(api.enableSkill(as('skills.manage'), pin))).toBe('forbidden')
    expect(await codeOf(api.disableSkill(as('skills.manage'), pin))).toBe('forbidden')
    expect(await codeOf(api.listSkills(as('tools.call'), { limit: 1 }))).toBe('forbidden')
    expect(await codeOf(api.findSkill(as('policy.read'), { name: 'helper' }))).toBe('done')
    expect(await codeOf(api.enableSkill(as('agents.manage'), pin))).toBe('done')
    const remove = () => api.removeSkill(as('skills.manage'), { name: 'helper', force: true })
    expect(await codeOf(remove())).toBe('forbidden')
    const bound = { ...owner, agent: 'bare' }
    expect(await codeOf(api.installSkill(bound, { zip: second }))).toBe('forbidden')
    expect(await codeOf(api.enableSkill(bound, pin))).toBe('forbidden')
  })
})
