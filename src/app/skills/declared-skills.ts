import path from 'node:path'
import type { Principal } from '../../core/call.ts'
import { isToolError } from '../../core/errors.ts'
import type { Vocabulary } from '../../core/policy/level.ts'
import type { Store } from '../../core/ports.ts'
import type { Registry } from '../../core/registry.ts'
import type { ReadSkill } from '../../core/skills/skill.ts'
import type { Config } from '../config-schema.ts'
import { tenantsOf } from '../governance/declared.ts'
import { toWords } from '../governance/tenant-scopes.ts'
import type { TenantViews } from '../governance/tenant-views.ts'
import { dropSkill, installSkill } from './install-skill.ts'
import { syncPins } from './declared-pins.ts'
import { findSkillFolders, readSkillFolder } from './read-skill-folder.ts'
import { readSkillRule } from './skill-rules.ts'

interface DeclaredSkills {
  config: Config
  /** Where relative folders start. */
  base: string
  store: Pick<Store, 'rules' | 'skills'>
  registry: Registry
  views: TenantViews
  onWarning(message: string): void
}

/**
 * Installs what lies in the configured folders. A folder that can't be read as a skill is reported
 * and left out; what is installed of it stays. What is declared no more goes, unless an agent has it.
 * Agents keep the versions they have.
 */
export async function syncDeclaredSkills({
  config,
  base,
  registry,
  views,
  ...parts
}: DeclaredSkills): Promise<void> {
  await views.refresh()
  for (const { slug: tenant, skills, agents } of tenantsOf(config)) {
    const folders = skills.map((folder) => path.resolve(base, folder))
    const findWords = async () => toWords(await views.find(tenant), config, registry.packs())
    await syncTenant({ tenant, folders, findWords, ...parts })
    await syncPins({ tenant, agents, findWords, ...parts })
  }
  await views.refresh()
}

const by: Principal = { kind: 'system', id: 'configuration' }

interface TenantSkills extends Pick<DeclaredSkills, 'store' | 'onWarning'> {
  tenant: string
  /** Absolute. */
  folders: readonly string[]
  findWords(): Promise<Vocabulary>
}

async function syncTenant(options: TenantSkills): Promise<void> {
  const { tenant, store } = options
  const rules = await store.rules.read(tenant, ['skill'])
  if (options.folders.length === 0 && !rules.some(({ isDeclared }) => isDeclared)) return
  const stored = new Map(rules.map((rule) => [rule.name, rule]))
  const { found, isWhole } = await readAll(options)
  for (const skill of found.values()) {
    const rule = stored.get(skill.manifest.name)
    const newest = rule && readSkillRule(rule)?.versions.at(-1)?.version
    if (rule?.isDeclared === true && newest === skill.version) continue
    await store.skills.change(tenant, by, (draft) =>
      installSkill(draft, skill, { by, isDeclared: true }),
    )
  }
  // What could not be read has no name: it may be any of those that are missing.
  const gone = rules.filter(({ isDeclared, name }) => isWhole && isDeclared && !found.has(name))
  for (const { name } of gone) await letGo(name, options)
}

async function letGo(name: string, { tenant, store, onWarning }: TenantSkills): Promise<void> {
  await store.skills.change(tenant, by, async (draft) => {
    const users = await draft.listUsers(name)
    if (users.length === 0) return dropSkill(draft, name, { force: false })
    const rule = await draft.find('skill', name)
    if (rule !== undefined) await draft.put('skill', name, { body: rule.body })
    onWarning(`The skill ${name} is declared no more, but kept: agents have it (${users.length})`)
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
  const { readSkill } = await import('./read-skill.ts')
  for (const place of places.flat()) {
    const skill = await readSkillFolder(place)
      .then((files) => readSkill(files, words))
      .catch((error: unknown) => {
        if (!isToolError(error)) throw error
        onWarning(`The skill in ${path.basename(place)} is left out: ${error.message}`)
      })
    const name = skill?.manifest.name
    if (skill === undefined || name === undefined) isWhole = false
    else if (found.has(name)) onWarning(`Two folders are the skill ${name}; ${place} is left out`)
    else found.set(name, skill)
  }
  return { found, isWhole }
}
