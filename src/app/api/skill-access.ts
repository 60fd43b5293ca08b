import type { Caller } from '../../core/call.ts'
import { ToolError } from '../../core/errors.ts'
import type { Vocabulary } from '../../core/policy/level.ts'
import { compilePattern } from '../../core/policy/patterns.ts'
import type { Store } from '../../core/ports.ts'
import type { Registry } from '../../core/registry.ts'
import type { Rule } from '../../core/rules/rule-store.ts'
import { skillBounds } from '../../core/skills/skill-bounds.ts'
import { readManifest } from '../../core/skills/skill-manifest.ts'
import type { SkillDetail, SkillManifest } from '../../core/skills/skill.ts'
import type { SkillsApi } from '../../core/skills/skills-api.ts'
import type { Config } from '../config-schema.ts'
import { agentNotFound } from '../governance/agent-not-found.ts'
import type { WrittenPatterns } from '../../core/policy/idle-patterns.ts'
import { toWords } from '../governance/tenant-scopes.ts'
import type { TenantViews } from '../governance/tenant-views.ts'
import { toolsOf } from '../governance/tools-of.ts'
import { disableSkill, enableSkill } from '../skills/enable-skill.ts'
import { installSkill, removeSkill } from '../skills/install-skill.ts'
import { readInstructions } from '../skills/skill-library.ts'
import {
  listPins,
  pickVersion,
  readPin,
  readSkillRule,
  skillNotFound,
  toSkillListing,
} from '../skills/skill-rules.ts'
import { requireOneOf, requirePermission } from '../../core/operations/require-permission.ts'
import { findPatternWarnings, levelPatterns } from './pattern-warnings.ts'

interface SkillAccessOptions {
  store: Store
  registry: Registry
  views: TenantViews
  config: Pick<Config, 'labels' | 'profiles' | 'groups'>
}

const usersShown = 100
const pinsShown = 1000

/** Skills: what is installed, who has it, and every change of that. */
export function createSkillAccess(options: SkillAccessOptions): SkillsApi {
  return { ...readAccess(options), ...changeAccess(options) }
}

type Reads = Pick<SkillsApi, 'listSkills' | 'findSkill' | 'readSkillFile' | 'listAgentSkills'>

function readAccess(options: SkillAccessOptions): Reads {
  const { store } = options
  const find = async (caller: Caller, name: string): Promise<Rule> => {
    requireOneOf(caller, ['skills.manage', 'agents.manage', 'policy.read'])
    const rule = await store.rules.find(caller.tenant, 'skill', name)
    if (rule === undefined) throw skillNotFound(name)
    return rule
  }
  return {
    async listSkills(caller, query) {
      requireOneOf(caller, ['skills.manage', 'agents.manage', 'policy.read'])
      const page = await store.rules.page(caller.tenant, 'skill', query)
      return { ...page, items: page.items.map(toSkillListing) }
    },
    async findSkill(caller, name, query = {}) {
      const rule = await find(caller, name)
      const version = pickVersion(rule, query.version)
      return toDetail({ caller, rule, version }, options)
    },
    async readSkillFile(caller, { name, path, version: asked }) {
      const rule = await find(caller, name)
      const file = { skill: name, version: pickVersion(rule, asked), path }
      const range = { offset: 0, limit: skillBounds.fileBytes }
      const page = await store.skills.readFile(caller.tenant, file, range)
      if (page !== undefined) return page
      throw new ToolError(
        'not_found',
        `The skill ${name} has no file ${JSON.stringify(path.slice(0, 200))}`,
        { fix: `toolcrib skills show ${name} lists its files.` },
      )
    },
    async listAgentSkills(caller, agent) {
      requireOneOf(caller, ['skills.manage', 'agents.manage', 'policy.read'])
      const { tenant } = caller
      if ((await store.rules.find(tenant, 'agent', agent)) === undefined) {
        throw agentNotFound(agent)
      }
      const pins = await listPins(store.rules, { tenant, agent, limit: pinsShown })
      return pins.map((pin) => ({
        name: pin.skill,
        version: readPin(pin) ?? '',
        enabledAt: pin.updatedAt,
        enabledBy: pin.updatedBy,
      }))
    },
  }
}

function changeAccess(options: SkillAccessOptions): Omit<SkillsApi, keyof Reads> {
  const { store, views } = options
  return {
    async installSkill(caller, zip) {
      refuseBound(caller)
      requirePermission(caller, 'skills.manage')
      const words = await wordsOf(caller, options)
      // Unzipping and YAML are for this alone.
      const [{ readSkill }, { unpackSkill }] = await Promise.all([
        import('../skills/read-skill.ts'),
        import('../skills/unpack-skill.ts'),
      ])
      const skill = await readSkill(await unpackSkill(zip), words)
      const { manifest, version, files, warnings } = skill
      const made = await store.skills.change(caller.tenant, caller.principal, (draft) =>
        installSkill(draft, skill, { by: caller.principal, isDeclared: false }),
      )
      await views.refresh()
      const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0)
      const unknownTools = findUnknown(caller, manifest.tools, { ...options, words })
      const idle = await findPatternWarnings(caller.tenant, narrowedBy(manifest), options)
      const facts = { name: manifest.name, version, manifest, files: files.length, bytes }
      return { ...facts, warnings: [...warnings, ...idle], unknownTools, ...made }
    },
    async removeSkill(caller, name, { force = false } = {}) {
      refuseBound(caller)
      requirePermission(caller, 'skills.manage')
      // Forced, it takes grants off agents.
      if (force) requirePermission(caller, 'agents.manage')
      await store.skills.change(caller.tenant, caller.principal, (draft) =>
        removeSkill(draft, name, { force }),
      )
      await views.refresh()
    },
    async enableSkill(caller, pin) {
      refuseBound(caller)
      requirePermission(caller, 'agents.manage')
      const words = await wordsOf(caller, options)
      const { tools, ...change } = await store.skills.change(
        caller.tenant,
        caller.principal,
        (draft) => enableSkill(draft, pin, words),
      )
      await views.refresh()
      return { ...change, unknownTools: findUnknown(caller, tools, { ...options, words }) }
    },
    async disableSkill(caller, pin) {
      refuseBound(caller)
      requirePermission(caller, 'agents.manage')
      const { tools: _none, ...change } = await store.rules.change(
        caller.tenant,
        caller.principal,
        (draft) => disableSkill(draft, pin),
      )
      await views.refresh()
      return { ...change, unknownTools: [] }
    },
  }
}

async function toDetail(
  { caller, rule, version }: { caller: Caller; rule: Rule; version: string },
  options: SkillAccessOptions,
): Promise<SkillDetail> {
  const { store } = options
  const { tenant } = caller
  const key = { tenant, skill: rule.name, version, offset: 0, limit: skillBounds.textBytes }
  const [stored, users, text, words] = await Promise.all([
    store.skills.findVersion(tenant, rule.name, version),
    store.skills.listUsers(tenant, rule.name, { limit: usersShown }),
    readInstructions(store, key),
    wordsOf(caller, options),
  ])
  const manifest = stored && readManifest(stored.manifest)
  if (stored === undefined || manifest === undefined) {
    throw new ToolError('invalid_skill', `What is stored of the skill ${rule.name} can't be read`, {
      fix: 'Install it again, or remove it with force.',
    })
  }
  return {
    ...toSkillListing(rule),
    version,
    versions: readSkillRule(rule)?.versions.toReversed() ?? [],
    manifest,
    instructions: new TextDecoder().decode(text?.chunk),
    files: stored.files,
    enabledBy: users.items,
    unknownTools: findUnknown(caller, manifest.tools, { ...options, words }),
  }
}

async function wordsOf(
  { tenant }: Caller,
  { views, config, registry }: SkillAccessOptions,
): Promise<Vocabulary> {
  return toWords(await views.find(tenant), config, registry.packs())
}

/** The patterns that hold while the skill is in force. */
function narrowedBy({ permissions = {} }: SkillManifest): WrittenPatterns[] {
  return levelPatterns(permissions).map(({ where, patterns }) => ({
    where: `permissions.${where}`,
    patterns,
  }))
}

/** Required tools that fit nothing there is for this tenant. Those of others are as good as none. */
function findUnknown(
  { tenant }: Caller,
  tools: readonly string[],
  { registry, words }: { registry: Registry; words: Vocabulary },
): string[] {
  const own = toolsOf(registry, tenant)
    .list()
    .map(({ contract, pack }) => ({ name: contract.name, pack }))
  return tools.filter((pattern) => !own.some(compilePattern(pattern, words.groups)))
}

/** A key that is made for one agent must not hand it what it lacks. */
function refuseBound({ agent }: Caller): void {
  if (agent === undefined) return
  throw new ToolError('forbidden', `This key is bound to the agent ${agent}`, {
    fix: 'Skills are changed with a key that is not bound to an agent.',
  })
}
