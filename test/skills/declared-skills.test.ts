import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Crib, createCrib } from '../../src/app/index.ts'
import { ownerOf } from '../../src/app/owner.ts'
import { checkTools } from '../../src/app/check-tools.ts'
import type { OpenStores } from '../../src/features/open-stores.ts'
import { freshStore } from '../../src/testing/fresh-store.fixture.ts'
import { codeOf, owner, zipOf } from './skill-crib.ts'

let cwd: string
let store: OpenStores
let crib: Crib | undefined
const warnings: string[] = []

beforeEach(async () => {
  cwd = await mkdtemp(path.join(tmpdir(), 'toolcrib skills '))
  store = await freshStore()
})
afterEach(async () => {
  await crib?.close()
  await rm(cwd, { recursive: true })
  warnings.length = 0
})

async function write(folder: string, text: string): Promise<void> {
  await mkdir(path.join(cwd, folder), { recursive: true })
  await writeFile(path.join(cwd, folder, 'SKILL.md'), text)
}
const skillText = (name: string, more = '') =>
  `---\nname: ${name}\ndescription: x\n${more}---\nDo it.\n`

/** Starts again on the same store. */
async function start(config: object = { skills: ['./skills'] }): Promise<Crib['api']> {
  await crib?.close()
  const onWarning = (message: string) => void warnings.push(message)
  const agents = [{ slug: 'bare' }]
  crib = await createCrib({ cwd, store, env: {}, onWarning, config: { agents, ...config } })
  return crib.api
}
const listed = async (caller = owner) => {
  const { items } = await (crib as Crib).api.listSkills(caller, { limit: 10 })
  return items.map(({ name, isDeclared, versions }) => [name, isDeclared, versions])
}

test('folders are installed at the start, once for the same content, each for its tenant', async () => {
  await write('skills/one', skillText('one'))
  await write('skills/two', skillText('two'))
  await write('single', skillText('three'))
  const config = { skills: ['./skills'], tenants: [{ slug: 'acme', skills: ['./single'] }] }
  await start(config)
  await start(config)
  expect(await listed()).toEqual([
    ['one', true, 1],
    ['two', true, 1],
  ])
  expect(await listed(ownerOf('acme'))).toEqual([['three', true, 1]])
  const types = []
  for await (const { type } of (crib as Crib).events())
    if (type.startsWith('skill')) types.push(type)
  expect(types).toEqual(['skill.installed', 'skill.installed'])
})

test('a changed folder is another version, and agents keep theirs', async () => {
  await write('skills/one', skillText('one'))
  const api = await start()
  await api.enableSkill(owner, { slug: 'bare', name: 'one' })
  const {
    items: [before],
  } = await api.listAgentSkills(owner, { slug: 'bare' })
  await write('skills/one', skillText('one', 'license: MIT\n'))
  const again = await start()
  expect(await listed()).toEqual([['one', true, 2]])
  expect(await again.listAgentSkills(owner, { slug: 'bare' })).toEqual({ items: [before] })
})

test('what is declared can not be changed elsewhere; declared no more, it goes unless an agent has it', async () => {
  await write('skills/one', skillText('one'))
  await write('skills/two', skillText('two'))
  const api = await start()
  expect(await codeOf(api.removeSkill(owner, { name: 'one', force: true }))).toBe('conflict')
  expect(await codeOf(api.installSkill(owner, { zip: zipOf('name: one') }))).toBe('conflict')
  await api.enableSkill(owner, { slug: 'bare', name: 'one' })
  await start({})
  expect(await listed()).toEqual([['one', false, 1]])
  expect(warnings).toEqual([expect.stringMatching(/one is no longer declared but kept/)])
})

test('what can not be read is said and left out, and takes nothing away', async () => {
  await write('skills/one', skillText('one'))
  await start()
  await write('skills/one', 'broken')
  await write('skills/two', skillText('two', 'permissions: ["group:none"]\n'))
  await write('skills/three', skillText('three'))
  await symlink('/etc/passwd', path.join(cwd, 'skills/three/link'))
  await cp(path.join(cwd, 'skills/three'), path.join(cwd, 'skills/four'), {
    recursive: true,
    filter: (source) => !source.endsWith('link'),
  })
  await start()
  expect(await listed()).toEqual([
    ['one', true, 1],
    ['three', true, 1],
  ])
  expect(warnings.toSorted()).toEqual([
    expect.stringMatching(/skill in one is skipped: SKILL\.md does not begin/),
    expect.stringMatching(/skill in three is skipped: link is a link/),
    expect.stringMatching(/skill in two is skipped: SKILL\.md, line 4: .*Unknown group/),
  ])
})

test('check says the same before anything starts', async () => {
  await write('skills/one', skillText('one', 'tools: [no.such, skill.read]\n'))
  await write('skills/two', skillText('two', 'permissions: ["group:none"]\n'))
  const file = path.join(cwd, 'toolcrib.config.json')
  await writeFile(file, JSON.stringify({ skills: ['./skills'] }))
  const { findings } = await checkTools({ cwd, config: file, tools: [], data: cwd })
  expect(findings).toMatchObject([
    { severity: 'warning', rule: 'skill', message: expect.stringMatching(/no permissions/) },
    { severity: 'warning', rule: 'skill', message: 'It requires no.such, which is not there' },
    { severity: 'error', rule: 'skill', message: expect.stringMatching(/line 4: .*Unknown group/) },
  ])
})

test('a folder that is not there stops the start', async () => {
  expect(await codeOf(start())).toBe('invalid_config')
})

test('an agent that is declared no more loses its skills', async () => {
  await write('skills/one', skillText('one'))
  const api = await start()
  await api.enableSkill(owner, { slug: 'bare', name: 'one' })
  await start({ skills: ['./skills'], agents: [] })
  const again = await start()
  expect(await again.listAgentSkills(owner, { slug: 'bare' })).toEqual({ items: [] })
})

test('agents are given the skills that configuration names, in the version it names', async () => {
  await write('skills/one', skillText('one', 'tools: [a.b]\n'))
  await write('skills/two', skillText('two'))
  const withSkills = (...skills: string[]) =>
    start({ skills: ['./skills'], agents: [{ slug: 'bare', skills }] })
  const pinned = async () => {
    const { items: pins } = await (crib as Crib).api.listAgentSkills(owner, { slug: 'bare' })
    return pins.map(({ name, version }) => [name, version.slice(0, 8)])
  }
  const api = await withSkills('one', 'none')
  expect(warnings).toEqual([
    expect.stringMatching(/does not get the skill none: There is no skill/),
  ])
  const [first] = await pinned()
  const pin = { slug: 'bare', name: 'one' }
  expect(await codeOf(api.disableSkill(owner, pin))).toBe('conflict')
  expect(await codeOf(api.enableSkill(owner, pin))).toBe('conflict')
  await api.enableSkill(owner, { slug: 'bare', name: 'two' })
  await write('skills/one', skillText('one', 'tools: [c.d]\n'))
  await withSkills('one')
  const [second, two] = await pinned()
  expect([first?.[1] === second?.[1], two?.[0]]).toEqual([false, 'two'])
  await withSkills(`one@${first?.[1]}`)
  expect((await pinned())[0]).toEqual(first)
  await withSkills()
  expect(await pinned()).toEqual([two])
  const grants = await store.rules.find('default', 'grants', 'bare')
  expect(grants?.body).toEqual([
    { pattern: 'skill.list', kind: 'allow', sources: ['skill:two'] },
    { pattern: 'skill.read', kind: 'allow', sources: ['skill:two'] },
  ])
})
