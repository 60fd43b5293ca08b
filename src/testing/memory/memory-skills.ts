import type { RuleDraft, RuleStore } from '../../core/rules/rule-store.ts'
import { isText } from '../../core/skills/skill-files.ts'
import type { ReadSkill, SkillUser } from '../../core/skills/skill.ts'
import type { SkillDraft, SkillStore, StoredSkillVersion } from '../../core/skills/skill-store.ts'

/** Skills in memory. A change that fails leaves everything as it was. */
export function createMemorySkills(rules: RuleStore): SkillStore {
  let versions = new Map<string, ReadSkill>()
  const keyOf = (...parts: string[]) => parts.join('\n')
  const find = (tenant: string, skill: string, version: string) =>
    toStored(versions.get(keyOf(tenant, skill, version)))
  const users = async (tenant: string, skill: string): Promise<SkillUser[]> => {
    const pins = await rules.read(tenant, ['enabled-skill'])
    return pins
      .filter(({ name }) => name.split('/')[1] === skill)
      .map(({ name, body, updatedAt, updatedBy }) => ({
        agent: name.split('/')[0] ?? '',
        version: (body as { version: string }).version,
        enabledAt: updatedAt,
        enabledBy: updatedBy,
      }))
  }
  const contentsOf = (tenant: string): Omit<SkillDraft, keyof RuleDraft> => ({
    async keepVersion(skill) {
      versions.set(keyOf(tenant, skill.manifest.name, skill.version), skill)
    },
    async dropVersions(skill, version = '') {
      const prefix = keyOf(tenant, skill, version)
      for (const key of versions.keys()) if (key.startsWith(prefix)) versions.delete(key)
    },
    findVersion: async (skill, version) => find(tenant, skill, version),
    listUsers: (skill) => users(tenant, skill),
    async measure() {
      const own = [...versions].filter(([key]) => key.startsWith(keyOf(tenant, '')))
      const names = new Set(own.map(([, { manifest }]) => manifest.name))
      const files = own.flatMap(([, skill]) => skill.files)
      return { skills: names.size, bytes: files.reduce((sum, { bytes }) => sum + bytes.length, 0) }
    },
  })
  return {
    change: (tenant, by, work) =>
      rules.change(tenant, by, async (draft) => {
        const before = new Map(versions)
        try {
          return await work({ ...draft, ...contentsOf(tenant) })
        } catch (error) {
          versions = before
          throw error
        }
      }),
    findVersion: async (tenant, skill, version) => find(tenant, skill, version),
    findManifests: async (tenant, wanted) =>
      wanted.flatMap(({ skill, version }) => {
        const stored = find(tenant, skill, version)
        return stored === undefined ? [] : [{ skill, version, manifest: stored.manifest }]
      }),
    async readFile(tenant, { skill, version, path }, { offset, limit }) {
      const stored = versions.get(keyOf(tenant, skill, version))
      const file = stored?.files.find((one) => one.path === path)
      if (file === undefined) return undefined
      const { bytes } = file
      const chunk = bytes.slice(offset, offset + limit)
      return { path, bytes: bytes.length, isText: isText(bytes), offset, chunk }
    },
    async listUsers(tenant, skill, { after = '', limit }) {
      const isLater = ({ agent }: SkillUser) => `${agent}/` > `${after}/`
      const found = await users(tenant, skill)
      const all = after === '' ? found : found.filter(isLater)
      const items = all.slice(0, limit)
      return all.length > limit ? { items, next: items.at(-1)?.agent } : { items }
    },
  }
}

function toStored(skill: ReadSkill | undefined): StoredSkillVersion | undefined {
  if (skill === undefined) return undefined
  const { manifest, version } = skill
  const files = skill.files.map(({ path, bytes }) => ({
    path,
    bytes: bytes.length,
    isText: isText(bytes),
  }))
  return { skill: manifest.name, version, manifest: structuredClone(manifest), files }
}
