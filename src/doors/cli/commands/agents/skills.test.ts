import { expect, test } from 'vitest'
import type { SkillChange, SkillDetail, SkillReceipt } from '../../../../features/skills/schemas.ts'
import { createFakeApi, json, problem } from '../../testing/fake-api.ts'
import { runLine } from '../../testing/run-line.ts'

const [version, older] = ['a'.repeat(64), 'b'.repeat(64)]
const installed = {
  installedAt: '2026-11-01T00:00:00.000Z',
  installedBy: { kind: 'user', id: 'owner' },
} as const
const listing = {
  name: 'notes',
  description: 'Takes notes',
  version,
  isDeclared: false,
  ...installed,
}
const manifest = {
  name: 'notes',
  description: 'Takes notes',
  tools: ['demo.add-note'],
  permissions: { allow: ['demo.*'], deny: ['demo.delete-notes'] },
  metadata: {},
}
const detail: SkillDetail = {
  ...listing,
  versions: [{ version, files: 2, bytes: 10, ...installed }],
  manifest,
  instructions: 'Take notes.\n\u001b[31mred',
  files: [{ path: 'SKILL.md', bytes: 10, isText: true }],
  enabledBy: [
    {
      agent: 'reader',
      version,
      enabledAt: installed.installedAt,
      enabledBy: { kind: 'user', id: 'owner' },
    },
  ],
  unknownTools: ['demo.none'],
}
const receipt: SkillReceipt = {
  name: 'notes',
  version,
  isNew: true,
  manifest,
  files: 2,
  bytes: 10,
  warnings: ['The key "x" is not known'],
  unknownTools: ['demo.none'],
  dropped: [older],
}
const change: SkillChange = {
  agent: 'reader',
  skill: 'notes',
  version,
  previous: older,
  grants: { added: ['demo.add-note'], removed: ['demo.old'], kept: ['demo.both'] },
  unknownTools: [],
  isDryRun: false,
}

test('a folder is packed and sent as a zip, and warnings about it are shown', async () => {
  const api = createFakeApi({ 'POST /skills': () => json(receipt, 201) })
  const packed: string[] = []
  const more = {
    async packSkill(place: string) {
      packed.push(place)
      return new Uint8Array(Buffer.from('"PK"'))
    },
  }
  const line = await runLine(['skills', 'install', 'notes'], { ...api, more, cwd: '/crib' })
  expect(line).toEqual({
    code: 0,
    out: '✓ notes aaaaaaaaaaaa is installed (2 files, 10 bytes)\n→ toolcrib skills enable notes --agent AGENT\n',
    err: [
      '! The key "x" is not known',
      '! It requires demo.none, which is not available',
      '! Removed old versions without an agent: bbbbbbbbbbbb\n',
    ].join('\n'),
  })
  expect(packed).toEqual(['/crib/notes'])
  expect(api.last('/skills')?.headers['content-type']).toBe('application/zip')
})

test('giving and taking off say what comes, goes and stays', async () => {
  const api = createFakeApi({
    'PUT /agents/reader/skills/notes': () => json(change),
    'DELETE /agents/reader/skills/notes': () =>
      json({ ...change, version: undefined, isDryRun: true }),
  })
  const enabled = await runLine(
    ['skills', 'enable', 'notes', '--agent', 'reader', '--version', 'aaaaaaaa'],
    api,
  )
  expect(enabled.out).toBe(
    '✓ reader has notes aaaaaaaaaaaa instead of bbbbbbbbbbbb\n  + demo.add-note\n  - demo.old\n  = demo.both is kept: another source grants it\n',
  )
  expect(api.last('/agents/reader/skills/notes')?.body).toEqual({
    version: 'aaaaaaaa',
  })
  const disabled = await runLine(
    ['skills', 'disable', 'notes', '--agent', 'reader', '--dry-run'],
    api,
  )
  expect(disabled.out.split('\n')[0]).toBe('? reader would lose notes')
  expect(api.last('/agents/reader/skills/notes')?.query).toEqual({ dryRun: 'true' })
})

test('lists and shows, without obeying what a skill writes to the terminal', async () => {
  const pin = {
    name: 'notes',
    version,
    enabledAt: installed.installedAt,
    enabledBy: installed.installedBy,
  }
  const api = createFakeApi({
    'GET /skills': () => json({ items: [{ ...listing, versions: 1 }] }),
    'GET /skills/notes': () => json(detail),
    'GET /agents/reader/skills': () => json({ items: [pin] }),
  })
  expect((await runLine(['skills'], api)).out).toMatch(
    /notes +aaaaaaaaaaaa +1 +user:owner +Takes notes/,
  )
  expect((await runLine(['skills', 'list', '--agent', 'reader'], api)).out).toMatch(
    /notes +aaaaaaaaaaaa +2026-11-01 +user:owner/,
  )
  const { out } = await runLine(['skills', 'show', 'notes'], api)
  expect(out).toMatch(/in force {3}only demo\.\*, never demo\.delete-notes/)
  expect(out).not.toContain('\u001b')
  expect(JSON.parse((await runLine(['skills', 'show', 'notes', '--json'], api)).out)).toEqual(
    detail,
  )
})

test('refusals show a fix', async () => {
  const api = createFakeApi({
    'DELETE /skills/notes': () =>
      problem({ status: 409, code: 'conflict', detail: 'The agent has the skill notes: reader' }),
  })
  const refused = await runLine(['skills', 'remove', 'notes'], api)
  expect([refused.code === 0, refused.err]).toEqual([false, expect.stringMatching(/reader/)])
  const usage = await runLine(['skills', 'enable', 'notes'], api)
  expect(usage.err).toMatch(/toolcrib skills enable <name> --agent AGENT/)
  expect((await runLine(['skills', 'install'], api)).err).toMatch(/skills install <folder or zip>/)
  expect((await runLine(['skills', 'instal', 'x'], api)).err).toMatch(/skills install/)
})
