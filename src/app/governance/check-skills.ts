import path from 'node:path'
import { isToolError } from '../../core/kernel/errors.ts'
import type { Vocabulary } from '../../core/policy/level.ts'
import { compilePattern, type NamedTool } from '../../core/patterns/patterns.ts'
import { toVocabulary } from '../../core/policy/vocabulary.ts'
import type { Registry } from '../../core/registry.ts'
import type { CheckFinding } from '../../doors/cli/environment.ts'
import { packs } from '../../tools/packs.ts'
import type { Config } from '../config/config-schema.ts'
import { tenantsOf } from './declared.ts'
import { findIdlePatterns } from '../../core/policy/idle-patterns.ts'
import { findSkillFolders, readSkillFolder } from '../../features/skills/files/read-skill-folder.ts'
import { readSkill } from '../../features/skills/files/read-skill.ts'

interface CheckedSkills {
  config: Config
  /** The folder that relative paths start from. */
  base: string
  registry: Registry
}

/**
 * Reads the skills of all configured folders and lists their errors and warnings, as a start would.
 */
export async function checkSkills({
  config,
  base,
  registry,
}: CheckedSkills): Promise<CheckFinding[]> {
  const { profiles, groups } = config
  const words = toVocabulary({ profiles, groups, packs: [...registry.packs(), ...packs] })
  const tools = [
    ...registry.list().map(({ contract, pack }) => ({ name: contract.name, pack })),
    ...packs.flatMap((pack) => pack.tools.map(({ contract }) => contract)),
  ]
  const folders = new Set(tenantsOf(config).flatMap(({ skills }) => skills))
  const findings: CheckFinding[] = []
  for (const folder of folders) {
    for (const place of await findSkillFolders(path.resolve(base, folder))) {
      findings.push(...(await checkOne(place, words, tools)))
    }
  }
  return findings
}

async function checkOne(
  place: string,
  words: Vocabulary,
  tools: readonly NamedTool[],
): Promise<CheckFinding[]> {
  const finding = { file: path.join(place, 'SKILL.md'), rule: 'skill' }
  try {
    const { manifest, warnings } = await readSkill(await readSkillFolder(place), words)
    const unknown = manifest.tools
      .filter((pattern) => !tools.some(compilePattern(pattern, words.groups)))
      .map((pattern) => `It requires ${pattern}, which is not there`)
    const { allow = [], deny = [] } = manifest.permissions ?? {}
    const idle = findIdlePatterns(
      [
        { where: 'permissions.allow', patterns: allow },
        { where: 'permissions.deny', patterns: deny },
      ],
      { groups: words.groups, tools },
    )
    return [...warnings, ...unknown, ...idle].map((message) => ({
      ...finding,
      severity: 'warning',
      message,
    }))
  } catch (error) {
    if (!isToolError(error)) throw error
    const { message, fix } = error
    return [{ ...finding, severity: 'error', message, ...(fix !== undefined && { fix }) }]
  }
}
