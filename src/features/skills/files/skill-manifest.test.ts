import { describe, expect, test } from 'vitest'
import { defineVocabulary } from '../../../core/policy/vocabulary.ts'
import { splitFrontMatter } from './front-matter.ts'
import { checkPatterns, readManifest, toManifest } from './skill-manifest.ts'

const least = { name: 'notes', description: 'Takes notes' }
const words = defineVocabulary({ profiles: { readers: { allow: ['*.list'] } } })

function manifestOf(more: Record<string, unknown>) {
  const result = toManifest({ ...least, ...more })
  if (!result.ok) throw new Error(JSON.stringify(result.issues))
  return result
}

describe('front matter as a manifest', () => {
  test('needs a name and a description', () => {
    expect(toManifest(least)).toEqual({
      ok: true,
      manifest: { ...least, tools: [], metadata: {} },
      warnings: [],
    })
    for (const value of [null, [], 'x', {}, { name: 'a' }, { ...least, description: ' ' }])
      expect(toManifest(value).ok).toBe(false)
  })

  test.each(['', 'Notes', '1a', 'a_b', 'a/b', '..', 'a'.repeat(64), 7])(
    'refuses the name %j',
    (name) => {
      const result = toManifest({ ...least, name })
      expect(result).toEqual({ ok: false, issues: [{ at: ['name'], message: expect.any(String) }] })
    },
  )

  test('reads permissions as a list of what is allowed, or as a level', () => {
    expect(manifestOf({ permissions: ['a.*'] }).manifest.permissions).toEqual({
      allow: ['a.*'],
      deny: [],
    })
    expect(manifestOf({ permissions: { profile: 'readers' } }).manifest.permissions).toEqual({
      profile: 'readers',
      allow: [],
      deny: [],
    })
    expect(manifestOf({}).manifest.permissions).toBeUndefined()
    for (const permissions of ['*', { alow: ['*'] }, [1], { allow: '*' }, null])
      expect(toManifest({ ...least, permissions }).ok).toBe(false)
  })

  test('keeps unknown keys as metadata, with a warning, and metadata takes precedence', () => {
    const { manifest, warnings } = manifestOf({
      version: '1.2',
      'allowed-tools': 'Read',
      metadata: { owner: 'ops', version: 2 },
    })
    expect(manifest.metadata).toEqual({ version: 2, 'allowed-tools': 'Read', owner: 'ops' })
    expect(warnings).toEqual([
      'The key "version" is not known and was kept as metadata',
      'The key "allowed-tools" is not known and was kept as metadata',
    ])
  })

  test('is read again from where it was stored, and not when that is malformed', () => {
    const { manifest } = manifestOf({ permissions: { allow: ['a'], deny: ['b'] }, license: 'MIT' })
    expect(readManifest(structuredClone(manifest))).toEqual(manifest)
    for (const stored of ['text', null, { ...manifest, permissions: { deny: 'b' } }])
      expect(readManifest(stored)).toBeUndefined()
  })
})

describe('patterns of a manifest', () => {
  test.each([
    [{ tools: ['fine', 'a b'] }, ['tools', 1], /Malformed pattern/],
    [{ tools: ['group:nope'] }, ['tools', 0], /Unknown group/],
    [{ permissions: ['group:nope'] }, ['permissions', 'allow', 0], /Unknown group/],
    [{ permissions: { allow: ['x', '?'], deny: ['y'] } }, ['permissions', 'allow', 1], /Malformed/],
    [{ permissions: { deny: ['group:'] } }, ['permissions', 'deny', 0], /Malformed/],
    [{ permissions: { profile: 'nope' } }, ['permissions', 'profile'], /Unknown profile/],
  ])('%j is refused at %j', (more, at, message) => {
    const issues = checkPatterns(manifestOf(more).manifest, words)
    expect(issues).toEqual([{ at, message: expect.stringMatching(message) }])
  })

  test('are fine when policy knows them all', () => {
    const { manifest } = manifestOf({
      tools: ['file.read', 'group:web', 'mcp:github:*'],
      permissions: { profile: 'readers', allow: ['pack:web'], deny: ['*'] },
    })
    expect(checkPatterns(manifest, words)).toEqual([])
  })
})

describe('front matter', () => {
  test.each([
    ['---\na: 1\n---\ntext', 'a: 1\n', 'text'],
    ['\uFEFF---\r\na: 1\r\n---\r\n\r\n  \r\ntext\r\n', 'a: 1\r\n', 'text\r\n'],
    ['---\n---', '', ''],
    ['---\na: |\n  x\n ---\n---\n---\n', 'a: |\n  x\n ---\n', '---\n'],
  ])('is cut off %j', (file, yaml, text) => {
    expect(splitFrontMatter(file)).toEqual({ yaml, text })
  })

  test.each(['', 'text', ' ---\na\n---', '---\na: 1', '----\na\n----\n'])(
    'is not there in %j',
    (file) => {
      expect(splitFrontMatter(file)).toBeUndefined()
    },
  )
})
