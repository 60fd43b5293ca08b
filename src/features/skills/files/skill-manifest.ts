import { z } from 'zod'
import type { JsonValue } from '../../../core/kernel/json.ts'
import { toJsonValue } from '../../../core/pipeline/output/to-json-value.ts'
import { type Vocabulary, compileLevel } from '../../../core/policy/level.ts'
import { compilePattern } from '../../../core/patterns/patterns.ts'
import { skillArguments } from './skill-arguments.ts'
import { type SkillManifest, skillName } from '../model.ts'

/** One thing that is wrong with front matter, and the keys that lead to it. */
export interface ManifestIssue {
  at: readonly (string | number)[]
  message: string
}

export type ManifestResult =
  | { ok: true; manifest: SkillManifest; warnings: string[] }
  | { ok: false; issues: ManifestIssue[] }

const patterns = z.array(z.string().min(1).max(200)).max(1000)
const level = z.strictObject({
  profile: z.string().min(1).max(64).optional(),
  allow: patterns.default([]),
  deny: patterns.default([]),
})
const known = z.object({
  name: z
    .string()
    .regex(
      skillName,
      'must be small letters, digits and dashes, 63 at most, beginning with a letter',
    ),
  description: z.string().trim().min(1).max(1024),
  tools: z.array(z.string().min(1).max(200)).max(200).default([]),
  permissions: z
    .union([patterns.transform((allow) => ({ allow, deny: [] })), level], {
      error: 'must be a list of patterns, or an object with profile, allow and deny',
    })
    .optional(),
  arguments: skillArguments.optional(),
  license: z.string().max(200).optional(),
  metadata: z.record(z.string().max(100), z.unknown()).default({}),
})
const knownKeys = Object.keys(known.shape)

/** Front matter as a manifest. Keys that are not known are kept under `metadata`, with a warning. */
export function toManifest(value: unknown): ManifestResult {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { ok: false, issues: [{ at: [], message: 'must have the keys name and description' }] }
  }
  const unknownKeys = Object.keys(value).filter((key) => !knownKeys.includes(key))
  const parsed = known.safeParse(value)
  if (!parsed.success) {
    const issues = parsed.error.issues.map(({ path, message }) => ({
      at: path.map((part) => (typeof part === 'number' ? part : String(part))),
      message,
    }))
    return { ok: false, issues }
  }
  const { permissions, arguments: taken = [], license, metadata, ...facts } = parsed.data
  const others = unknownKeys.map((key) => [key, (value as Record<string, unknown>)[key]])
  const manifest: SkillManifest = {
    ...facts,
    tools: [...new Set(facts.tools)],
    ...(permissions !== undefined && { permissions }),
    ...(taken.length > 0 && { arguments: taken }),
    ...(license !== undefined && { license }),
    metadata: toJsonValue({ ...Object.fromEntries(others), ...metadata }).value as Record<
      string,
      JsonValue
    >,
  }
  const warnings = unknownKeys.map(
    (key) => `The key ${JSON.stringify(key.slice(0, 100))} is not known and was kept as metadata`,
  )
  return { ok: true, manifest, warnings }
}

/**
 * Patterns that policy would refuse: malformed ones, unknown groups and profiles. Such a skill is
 * refused, because enabling it would deny its agent everything.
 */
export function checkPatterns(manifest: SkillManifest, words: Vocabulary): ManifestIssue[] {
  const { allow = [], deny = [], profile } = manifest.permissions ?? {}
  const issues = [
    ...checkList(manifest.tools, ['tools'], words),
    ...checkList(allow, ['permissions', 'allow'], words),
    ...checkList(deny, ['permissions', 'deny'], words),
  ]
  if (issues.length > 0 || profile === undefined) return issues
  const fault = findFault(() =>
    compileLevel({ profile, allow: [], deny: [], whenEmpty: 'nothing' }, words),
  )
  return fault === undefined ? [] : [{ at: ['permissions', 'profile'], message: fault }]
}

/** A manifest that was stored; undefined when it can't be read. */
export function readManifest(stored: unknown): SkillManifest | undefined {
  const result = toManifest(stored)
  return result.ok ? result.manifest : undefined
}

function checkList(
  list: readonly string[],
  at: readonly (string | number)[],
  words: Vocabulary,
): ManifestIssue[] {
  return list.flatMap((pattern, index) => {
    const message = findFault(() => compilePattern(pattern, words.groups))
    return message === undefined ? [] : [{ at: [...at, index], message }]
  })
}

function findFault(work: () => unknown): string | undefined {
  try {
    work()
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}
