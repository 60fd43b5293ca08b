import type { Caller } from '../../core/kernel/call.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { parsePolicyLevel } from '../../core/policy/policy-level.ts'
import type { PolicyLevel } from '../../core/policy/scope.ts'
import { readManifest } from './files/skill-manifest.ts'
import { toSkillSource } from './model.ts'
import { toSetBy } from '../../core/rules/read-rules.ts'
import { notEnabled } from './enable-skill.ts'
import { readPin, toPinName } from './skill-rules.ts'
import type { SkillStores } from './skill-store.ts'

/** The policy level of a caller's active skill. */
export interface SkillLevels {
  /** Rejects with not_found for a skill that the agent has not enabled. */
  find(caller: Caller): Promise<PolicyLevel>
}

/** Reads the levels of pinned versions. An unreadable one lets nothing through. */
export function createSkillLevels({ rules, skills }: SkillStores): SkillLevels {
  return {
    async find({ tenant, agent, skill = '' }) {
      if (agent === undefined) {
        throw new ToolError('invalid_request', 'A skill is active only for an agent', {
          fix: 'Name the agent beside the skill.',
        })
      }
      const pin = await rules.find(tenant, 'enabled-skill', toPinName(agent, skill))
      if (pin === undefined) throw notEnabled(agent, skill)
      const version = readPin(pin)
      const stored = version && (await skills.findVersion(tenant, skill, version))
      const manifest = stored ? readManifest(stored.manifest) : undefined
      const name = toSkillSource(skill)
      const level =
        manifest === undefined
          ? { name, allow: [], deny: [], closed: "the stored skill can't be read" }
          : parsePolicyLevel(name, manifest.permissions ?? {})
      return { ...level, setBy: toSetBy(pin) }
    },
  }
}
