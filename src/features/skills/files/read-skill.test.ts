import { expect, test } from 'vitest'
import { defineVocabulary } from '../../../core/policy/vocabulary.ts'
import { readSkill } from './read-skill.ts'

const words = defineVocabulary()

function read(frontMatter: string, text = 'Take notes.') {
  const bytes = new Uint8Array(Buffer.from(`---\n${frontMatter}\n---\n${text}`))
  return readSkill([{ path: 'SKILL.md', bytes }], words)
}

async function faultOf(frontMatter: string): Promise<string> {
  const error: unknown = await read(frontMatter).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toMatchObject({ code: 'invalid_skill' })
  return (error as Error).message
}

test('a skill is read with its front matter and warnings', async () => {
  const skill = await read('name: notes\ndescription: Takes notes\ntools: [a.b]\ncolour: red')
  expect(skill).toEqual({
    manifest: {
      name: 'notes',
      description: 'Takes notes',
      tools: ['a.b'],
      metadata: { colour: 'red' },
    },
    version: expect.stringMatching(/^[0-9a-f]{64}$/),
    files: [{ path: 'SKILL.md', bytes: expect.any(Uint8Array) }],
    warnings: [
      'The key "colour" is not known and was kept as metadata',
      'It names no permissions, so nothing may be used while it is active',
    ],
  })
})

test.each([
  ['name: notes', /line 1: description/],
  ['name: Notes\ndescription: x', /line 2: name must be/],
  ['description: x\nname: notes\ntools:\n  - a\n  - a b', /line 6: tools\.1 Malformed/],
  ['name: a\ndescription: x\npermissions: [ok, "group:no"]', /line 4: permissions.* Unknown group/],
  [
    'name: a\ndescription: x\npermissions:\n  allow: ["*"]\n  deny:\n    - "group:no"',
    /line 7: permissions\.deny\.0 Unknown group/,
  ],
  ['name: a\ndescription: x\npermissions:\n  profile: no', /line 5: .* Unknown profile/],
  ['name: a\ndescription: x\narguments:\n  - ok\n  - 1st', /line 6: arguments\.1\.name must be/],
  ['name: a\nname: b\ndescription: x', /line 3: Map keys must be unique/],
  ['name: a\n\tdescription: x', /line 3: /],
  ['- a', /line 1: {2}must have the keys/],
  ['', /line 1: {2}must have the keys/],
])('%j is refused with its line', async (frontMatter, message) => {
  expect(await faultOf(frontMatter)).toMatch(message)
})

test('aliases are refused, however little they would make', async () => {
  const bomb = ['a: &a [x,x]', 'b: &b [*a,*a]', 'c: &c [*b,*b]', 'name: n', 'description: *c']
  expect(await faultOf(bomb.join('\n'))).toMatch(/alias/)
  expect(await faultOf('name: n\ndescription: x\nmetadata: {a: &a 1, b: *a}')).toMatch(/alias/)
})

test.each([
  ['brackets', `a: ${'['.repeat(30_000)}`],
  ['braces', `a: ${'{a: '.repeat(10_000)}`],
  ['dashes', `a:\n ${'- '.repeat(30_000)}`],
  ['question marks', '? '.repeat(30_000)],
  ['indentation', Array.from({ length: 300 }, (_, at) => `${' '.repeat(at)}a:`).join('\n')],
])('front matter nested by %s is refused before it is read', async (_by, text) => {
  expect(await faultOf(text)).toMatch(/nested too deep/)
})

test('front matter over its bound is refused, and long text below it is not', async () => {
  expect(await faultOf(`name: a\ndescription: x\nmetadata: {a: ${'x'.repeat(65_536)}}`)).toMatch(
    /over 65536 bytes/,
  )
  const skill = await read('name: a\ndescription: x', 'x'.repeat(100_000))
  expect(skill.manifest.name).toBe('a')
})

test.each([
  ['no front matter', 'Take notes.', /does not begin with front matter/],
  ['no end of it', '---\nname: a\n', /does not begin with front matter/],
])('SKILL.md with %s is refused', async (_what, text, message) => {
  const files = [{ path: 'SKILL.md', bytes: new Uint8Array(Buffer.from(text)) }]
  await expect(readSkill(files, words)).rejects.toThrow(message)
})

test('SKILL.md that is not text is refused', async () => {
  const files = [{ path: 'SKILL.md', bytes: new Uint8Array([0x2d, 0xff, 0]) }]
  await expect(readSkill(files, words)).rejects.toThrow(/not text in UTF-8/)
})
