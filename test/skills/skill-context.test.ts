import { afterEach, describe, expect, test } from 'vitest'
import type { Crib } from '../../src/app/index.ts'
import type { OpenStores } from '../../src/features/open-stores.ts'
import { freshStore } from '../../src/testing/fresh-store.fixture.ts'
import { codeOf, openSkillCrib, owner, seenBy, zipOf } from './skill-crib.ts'

let crib: Crib
afterEach(() => crib.close())

/** The agent `full` with skills of these permissions. */
async function open(
  skills: Readonly<Record<string, string>>,
  files: Readonly<Record<string, string | Uint8Array>> = {},
  store?: OpenStores,
): Promise<void> {
  crib = await openSkillCrib({}, store)
  for (const [name, permissions] of Object.entries(skills)) {
    await crib.api.installSkill(owner, { zip: zipOf(`name: ${name}\n${permissions}`, files) })
    await crib.api.enableSkill(owner, { slug: 'full', name })
  }
}

const under = (skill: string) => ({ agent: 'full', skill })

describe('a skill in force', () => {
  test('lets through what it allows, and nothing when it names no permissions', async () => {
    await open({ narrow: 'permissions: [work.one, skill.read]', none: '' })
    expect(await seenBy(crib, 'full', 'narrow')).toEqual(['skill.read', 'work.one'])
    expect(await seenBy(crib, 'full', 'none')).toEqual([])
    expect((await crib.call('work.one', {}, under('narrow'))).output).toBe('work.one')
    expect((await crib.call('work.two', {}, under('narrow'))).error?.code).toBe('tool_not_found')
    expect((await crib.call('work.two', {}, { agent: 'full' })).status).toBe('completed')
  })

  test('never gives more than the agent has', async () => {
    await open({ wide: 'permissions: ["*"]' })
    await crib.api.enableSkill(owner, { slug: 'bare', name: 'wide' })
    expect(await seenBy(crib, 'bare', 'wide')).toEqual(['skill.list', 'skill.read'])
  })

  test('is there for the calls that a tool makes', async () => {
    await open({ narrow: 'permissions: { allow: [work.outer, work.one] }' })
    const inner = (tool: string) => crib.call('work.outer', { tool }, under('narrow'))
    expect((await inner('work.one')).output).toBe('work.one')
    expect((await inner('work.two')).error?.code).toBe('tool_not_found')
  })

  test('must be one that the agent has, and needs an agent', async () => {
    await open({ narrow: 'permissions: [work.one]' })
    const codes = await Promise.all([
      crib.call('work.one', {}, under('none')),
      crib.call('work.one', {}, { agent: 'bare', skill: 'narrow' }),
      crib.call('work.one', {}, { skill: 'narrow' }),
      crib.call('work.one', {}, { agent: 'full', skill: '../full/narrow' }),
    ])
    expect(codes.map(({ error }) => error?.code)).toEqual([
      'not_found',
      'not_found',
      'invalid_request',
      'not_found',
    ])
  })

  test('stands in the record and the event, and holds for the same call again', async () => {
    await open({ narrow: 'permissions: [work.one]' })
    const { callId = '' } = await crib.call('work.one', {}, { ...under('narrow'), durable: true })
    expect(await crib.api.findCall(owner, { id: callId })).toMatchObject({
      agent: 'full',
      skill: 'narrow',
    })
    const events = []
    for await (const { data } of crib.events({ callId, types: ['call.requested'] }))
      events.push(data)
    expect(events).toMatchObject([{ skill: 'narrow' }])
    const again = await crib.api.rerunCall(owner, { id: callId })
    expect(await crib.api.findCall(owner, { id: again.callId ?? '' })).toMatchObject({
      skill: 'narrow',
    })
    await crib.api.installSkill(owner, { zip: zipOf('name: narrow\npermissions: [work.two]') })
    await crib.api.enableSkill(owner, { slug: 'full', name: 'narrow' })
    expect(await crib.api.explainDecision(owner, { id: callId })).toMatchObject({
      now: { verdict: 'deny' },
      difference: expect.stringContaining('hidden by policy'),
    })
  })

  test('holds while a call waits for a person: what was taken out meanwhile does not run', async () => {
    await open({ narrow: 'permissions: [work.asks]' })
    const ask = () => crib.call('work.asks', {}, under('narrow'))
    const approve = (id: string) => crib.api.decideApproval(owner, { id, decision: 'approve' })
    const settled = (id: string) => crib.api.findCall(owner, { id, wait: 5 })
    const fine = await ask()
    await approve(fine.approvalId ?? '')
    expect(await settled(fine.callId ?? '')).toMatchObject({ status: 'completed', skill: 'narrow' })
    const late = await ask()
    await crib.api.installSkill(owner, { zip: zipOf('name: narrow\npermissions: [work.one]') })
    await crib.api.enableSkill(owner, { slug: 'full', name: 'narrow' })
    expect(await codeOf(approve(late.approvalId ?? ''))).toBe('denied')
    const call = await crib.api.findCall(owner, { id: late.callId ?? '' })
    expect(call).toMatchObject({ status: 'waiting', skill: 'narrow' })
  })

  test('holds for what is queued: it is asked again when its time comes', async () => {
    await open({ narrow: 'permissions: [work.one, work.two]', gone: 'permissions: ["*"]' })
    const queue = (tool: string, skill: string) =>
      crib.call(tool, {}, { ...under(skill), delay: 2 })
    const queued = [
      await queue('work.one', 'narrow'),
      await queue('work.two', 'narrow'),
      await queue('work.one', 'gone'),
    ]
    await crib.api.installSkill(owner, { zip: zipOf('name: narrow\npermissions: [work.two]') })
    await crib.api.enableSkill(owner, { slug: 'full', name: 'narrow' })
    await crib.api.disableSkill(owner, { slug: 'full', name: 'gone' })
    const ends = queued.map(async ({ callId = '' }) => {
      const { status, error } = await crib.api.findCall(owner, { id: callId, wait: 60 })
      return [status, error?.code]
    })
    expect(await Promise.all(ends)).toEqual([
      ['failed', 'denied'],
      ['completed', undefined],
      ['failed', 'not_found'],
    ])
  })

  test('follows the pinned version at once, and is gone with the skill', async () => {
    await open({ narrow: 'permissions: [work.one]' })
    expect(await seenBy(crib, 'full', 'narrow')).toEqual(['work.one'])
    await crib.api.installSkill(owner, { zip: zipOf('name: narrow\npermissions: [work.two]') })
    expect(await seenBy(crib, 'full', 'narrow')).toEqual(['work.one'])
    await crib.api.enableSkill(owner, { slug: 'full', name: 'narrow' })
    expect(await seenBy(crib, 'full', 'narrow')).toEqual(['work.two'])
    await crib.api.disableSkill(owner, { slug: 'full', name: 'narrow' })
    expect(await codeOf(seenBy(crib, 'full', 'narrow'))).toBe('not_found')
  })

  test('is named by explain, with who gave it', async () => {
    await open({ narrow: 'permissions: { allow: ["*"], deny: [work.two] }' })
    const [one] = await crib.explain({ ...under('narrow'), tool: 'work.two' })
    expect(one).toMatchObject({ visible: false, stoppedBy: 'policy' })
    expect(one?.reasons).toEqual([
      'skill:narrow policy denies work.two; it allows *, but deny wins',
    ])
  })

  test('that was written over in the store lets nothing through', async () => {
    const store = await freshStore()
    await open({ wide: 'permissions: ["*"]' }, {}, store)
    expect(await seenBy(crib, 'full', 'wide')).not.toEqual([])
    await store.rules.change('default', owner.principal, (draft) =>
      draft.put('enabled-skill', 'full/wide', { body: { version: 7 } }),
    )
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(await seenBy(crib, 'full', 'wide')).toEqual([])
    const [one] = await crib.explain({ ...under('wide'), tool: 'work.one' })
    expect(one?.reasons.join()).toMatch(/skill:wide policy can't be read/)
  })
})

describe('skill.list and skill.read', () => {
  const files = { 'a/long.txt': 'é'.repeat(300), 'logo.png': new Uint8Array([0x89, 0, 1]) }
  const read = async (input: object, as: object = { agent: 'full' }) =>
    crib.call('skill.read', { path: null, offset: null, limit: null, ...input }, as)

  test('give the instructions without front matter, and the other files', async () => {
    await open({ helper: '' }, files)
    expect((await crib.call('skill.list', {}, { agent: 'full' })).output).toEqual({
      skills: [
        {
          name: 'helper',
          version: expect.stringMatching(/^[0-9a-f]{12}$/),
          description: 'A skill for tests',
        },
      ],
    })
    expect((await read({ name: 'helper' })).output).toEqual({
      name: 'helper',
      version: expect.stringMatching(/^[0-9a-f]{12}$/),
      path: 'SKILL.md',
      text: 'Do it well.\n',
      isText: true,
      bytes: 12,
      offset: 0,
      next: null,
      files: [
        { path: 'a/long.txt', bytes: 600, isText: true },
        { path: 'logo.png', bytes: 3, isText: false },
      ],
    })
  })

  test('give a file in pages that end between characters, and say what is no text', async () => {
    await open({ helper: '' }, files)
    const pages: string[] = []
    let offset: number | null = 0
    while (offset !== null) {
      const { output } = await read({ name: 'helper', path: 'a/long.txt', offset, limit: 257 })
      const page = output as { text: string; next: number | null }
      pages.push(page.text)
      offset = page.next
    }
    expect([pages.length, pages.join('')]).toEqual([3, 'é'.repeat(300)])
    expect((await read({ name: 'helper', path: 'logo.png' })).output).toMatchObject({
      text: null,
      isText: false,
      bytes: 3,
      next: null,
    })
  })

  test('give nothing of what the agent has not, nor to somebody who is no agent', async () => {
    await open({ helper: '' }, files)
    await crib.api.installSkill(owner, { zip: zipOf('name: other') })
    await crib.api.enableSkill(owner, { slug: 'bare', name: 'other' })
    for (const name of ['other', 'none', '../bare/other'])
      expect((await read({ name })).error).toMatchObject({ code: 'not_found' })
    expect((await read({ name: 'helper', path: '../SKILL.md' })).error?.code).toBe('not_found')
    expect((await read({ name: 'helper' }, {})).error?.code).toBe('not_found')
    expect((await crib.call('skill.list')).output).toEqual({ skills: [] })
    expect((await read({ name: 'other' }, { agent: 'bare' })).status).toBe('completed')
  })
})
