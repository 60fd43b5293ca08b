import path from 'node:path'
import type { Principal } from '../../../core/kernel/call.ts'
import { isToolError } from '../../../core/kernel/errors.ts'
import type { Vocabulary } from '../../../core/policy/level.ts'
import type { ReadSkill } from '../model.ts'
import type { TenantRules } from '../../../core/rules/tenant-rules.ts'
import { dropSkill, installSkill } from '../install-skill.ts'
import { syncPins, type DeclaredAgent } from './declared-pins.ts'
import { findSkillFolders, readSkillFolder } from '../files/read-skill-folder.ts'
import { readSkillRule } from '../skill-rules.ts'
import type { SkillStores } from '../skill-store.ts'

interface DeclaredSkills {
  tenants: readonly {
    slug: string
    /** Folders, as the configuration writes them. */
    skills: readonly string[]
    agents: readonly DeclaredAgent[]
  }[]
  /** The folder that relative folders start from. */
  base: string
  stores: SkillStores
  rules: TenantRules
  onWarning(message: string): void
}

/**
 * Installs the skills of the configured folders. A folder that can't be read as a skill is reported
 * and skipped; its installed versions stay. A skill that is no longer declared is removed unless an
 * agent has it. Agents keep the versions they have.
 */
export async function syncDeclaredSkills({
  tenants,
  base,
  rules,
  ...parts
}: DeclaredSkills): Promise<void> {
  await rules.refresh()
  for (const { slug: tenant, skills, agents } of tenants) {
    const folders = skills.map((folder) => path.resolve(base, folder))
    const findWords = () => rules.findWords(tenant)
    await syncTenant({ tenant, folders, findWords, ...parts })
    await syncPins({ tenant, agents, findWords, ...parts })
  }
  await rules.refresh()
}

const by: Principal = { kind: 'system', id: 'configuration' }

interface TenantSkills extends Pick<DeclaredSkills, 'stores' | 'onWarning'> {
  tenant: string
  /** Absolute. */
  folders: readonly string[]
  findWords(): Promise<Vocabulary>
}

async function syncTenant(options: TenantSkills): Promise<void> {
  const { tenant, stores } = options
  const rules = await stores.rules.read(tenant, ['skill'])
  if (options.folders.length === 0 && !rules.some(({ isDeclared }) => isDeclared)) return
  const stored = new Map(rules.map((rule) => [rule.name, rule]))
  const { found, isWhole } = await readAll(options)
  for (const skill of found.values()) {
    const rule = stored.get(skill.manifest.name)
    const newest = rule && readSkillRule(rule)?.versions.at(-1)?.version
    if (rule?.isDeclared === true && newest === skill.version) continue
    await stores.skills.change(tenant, by, (draft) =>
      installSkill(draft, skill, { by, isDeclared: true }),
    )
  }
  // A skill that could not be read has no name: it may be any of the missing ones.
  const gone = rules.filter(({ isDeclared, name }) => isWhole && isDeclared && !found.has(name))
  for (const { name } of gone) await letGo(name, options)
}

async function letGo(name: string, { tenant, stores, onWarning }: TenantSkills): Promise<void> {
  await stores.skills.change(tenant, by, async (draft) => {
    const users = await draft.listUsers(name)
    if (users.length === 0) return dropSkill(draft, name, { force: false })
    const rule = await draft.find('skill', name)
    if (rule !== undefined) await draft.put('skill', name, { body: rule.body })
    onWarning(`The skill ${name} is no longer declared but kept: agents have it (${users.length})`)
  })
}

async function readAll({
  folders,
  findWords,
  onWarning,
}: TenantSkills): Promise<{ found: Map<string, ReadSkill>; isWhole: boolean }> {
  const found = new Map<string, ReadSkill>()
  let isWhole = true
  const words = await findWords()
  const places = await Promise.all(folders.map(findSkillFolders))
  // Reading YAML takes a parser of 70 modules, which most cribs never need.
  const { readSkill } = await import('../files/read-skill.ts')
  for (const place of places.flat()) {
    const skill = await readSkillFolder(place)
      .then((files) => readSkill(files, words))
      .catch((error: unknown) => {
        if (!isToolError(error)) throw error
        onWarning(`The skill in ${path.basename(place)} is skipped: ${error.message}`)
      })
    const name = skill?.manifest.name
    if (skill === undefined || name === undefined) isWhole = false
    else if (found.has(name)) onWarning(`Two folders hold the skill ${name}; ${place} is skipped`)
    else found.set(name, skill)
  }
  return { found, isWhole }
}
