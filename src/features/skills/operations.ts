import { z } from 'zod'
import type { Caller } from '../../core/kernel/call.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { pageOf } from '../../core/operations/fields.ts'
import { operationsOf } from '../../core/operations/operation.ts'
import { requirePermission } from '../../core/operations/require-permission.ts'
import { compilePattern } from '../../core/patterns/patterns.ts'
import { agentNotFound } from '../../core/rules/agent-not-found.ts'
import type { TenantRules } from '../../core/rules/tenant-rules.ts'
import { disableSkill as disable, enableSkill as enable } from './enable-skill.ts'
import { installSkill as install, removeSkill as remove } from './install-skill.ts'
import { skillBounds, skillReaders, type SkillManifest } from './model.ts'
import {
  dryRunQuery,
  forceQuery,
  pinRequest,
  skillChange,
  skillDetail,
  skillListing,
  skillPin,
  skillQuery,
  skillReceipt,
  versionQuery,
} from './schemas.ts'
import { readInstalled } from './skill-library.ts'
import {
  listPins,
  pickVersion,
  readPin,
  readSkillRule,
  skillNotFound,
  toSkillListing,
} from './skill-rules.ts'
import type { SkillFilePage, SkillStores } from './skill-store.ts'

/** The dependencies of the operations on skills. */
export interface SkillParts {
  stores: SkillStores
  rules: TenantRules
}

const usersShown = 100
const pinsShown = 1000

const define = operationsOf<SkillParts>('Skills')
const params = { name: 'The name of the skill' }
const agentParams = { slug: 'The slug of the agent' }
const pinParams = { ...agentParams, ...params }
const readers = { oneOf: skillReaders }
const asChange = { description: 'The changes', schema: skillChange }

const listSkills = define({
  http: 'GET /api/v1/skills',
  summary: 'List installed skills',
  needs: readers,
  agents: 'none',
  query: skillQuery,
  answer: { description: 'A page of skills, by name', schema: pageOf(skillListing) },
  async run(query, { caller, parts }) {
    const page = await parts.stores.rules.page(caller.tenant, 'skill', query)
    return { ...page, items: page.items.map(toSkillListing) }
  },
})

/** The HTTP route takes the bytes of the zip as the body. */
const installSkill = define({
  http: 'POST /api/v1/skills',
  summary: 'Install a skill or a new version of one',
  needs: 'skills.manage',
  agents: 'none',
  isServedByHand: true,
  body: z.strictObject({ zip: z.custom<Uint8Array>((value) => value instanceof Uint8Array) }),
  answer: { description: 'The installed skill', schema: skillReceipt },
  async run({ zip }, { caller, parts }) {
    const { stores, rules } = parts
    const words = await rules.findWords(caller.tenant)
    // Only an installation needs to unzip and to parse YAML.
    const [{ readSkill }, { unpackSkill }] = await Promise.all([
      import('./files/read-skill.ts'),
      import('./files/unpack-skill.ts'),
    ])
    const skill = await readSkill(await unpackSkill(zip), words)
    const { manifest, version, files, warnings } = skill
    const made = await stores.skills.change(caller.tenant, caller.principal, (draft) =>
      install(draft, skill, { by: caller.principal, isDeclared: false }),
    )
    await rules.refresh()
    const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0)
    const unknownTools = await findUnknown(caller, manifest.tools, rules)
    const idle = await rules.findPatternWarnings(caller.tenant, narrowedBy(manifest))
    const facts = { name: manifest.name, version, manifest, files: files.length, bytes }
    return { ...facts, warnings: [...warnings, ...idle], unknownTools, ...made }
  },
})

const findSkill = define({
  http: 'GET /api/v1/skills/{name}',
  summary: 'Get a skill with its versions, instructions and agents',
  needs: readers,
  agents: 'none',
  params,
  query: versionQuery,
  answer: { description: 'The skill', schema: skillDetail },
  async run(asked, { caller, parts }) {
    const { tenant } = caller
    const { stores, rules } = parts
    const [{ rule, files, ...skill }, users] = await Promise.all([
      readInstalled(stores, tenant, asked),
      stores.skills.listUsers(tenant, asked.name, { limit: usersShown }),
    ])
    return {
      ...toSkillListing(rule),
      ...skill,
      versions: readSkillRule(rule)?.versions.toReversed() ?? [],
      files: [...files],
      enabledBy: users.items,
      unknownTools: await findUnknown(caller, skill.manifest.tools, rules),
    }
  },
})

/** The HTTP route answers with the bytes. */
const readSkillFile = define({
  http: 'GET /api/v1/skills/{name}/files/{path}',
  summary: 'Read a file of a skill',
  needs: readers,
  agents: 'none',
  isServedByHand: true,
  params,
  // A path is longer than other fields of a route may be.
  query: versionQuery.extend({ path: z.string() }),
  answer: { description: 'The file', schema: z.custom<SkillFilePage>() },
  async run({ name, path, version }, { caller, parts }) {
    const rule = await parts.stores.rules.find(caller.tenant, 'skill', name)
    if (rule === undefined) throw skillNotFound(name)
    const file = { skill: name, version: pickVersion(rule, version), path }
    const range = { offset: 0, limit: skillBounds.fileBytes }
    const page = await parts.stores.skills.readFile(caller.tenant, file, range)
    if (page !== undefined) return page
    throw new ToolError(
      'not_found',
      `The skill ${name} has no file ${JSON.stringify(path.slice(0, 200))}`,
      { fix: `toolcrib skills show ${name} lists its files.` },
    )
  },
})

const removeSkill = define({
  http: 'DELETE /api/v1/skills/{name}',
  summary: 'Remove a skill with all its versions',
  needs: 'skills.manage',
  agents: 'none',
  params,
  query: forceQuery,
  refusals: { 409: 'Agents have it, or the configuration declares it' },
  async run({ name, force = false }, { caller, parts }) {
    // Removing it from agents removes their grants.
    if (force) requirePermission(caller, 'agents.manage')
    await parts.stores.skills.change(caller.tenant, caller.principal, (draft) =>
      remove(draft, name, { force }),
    )
    await parts.rules.refresh()
  },
})

const listAgentSkills = define({
  http: 'GET /api/v1/agents/{slug}/skills',
  summary: 'List the skills of an agent',
  needs: readers,
  agents: 'none',
  params: agentParams,
  answer: { description: 'Its skills, by name', schema: z.object({ items: z.array(skillPin) }) },
  async run({ slug: agent }, { caller, parts }) {
    const { tenant } = caller
    const { rules } = parts.stores
    if ((await rules.find(tenant, 'agent', agent)) === undefined) throw agentNotFound(agent)
    const pins = await listPins(rules, { tenant, agent, limit: pinsShown })
    const items = pins.map((pin) => ({
      name: pin.skill,
      version: readPin(pin) ?? '',
      enabledAt: pin.updatedAt,
      enabledBy: pin.updatedBy,
    }))
    return { items }
  },
})

const enableSkill = define({
  http: 'PUT /api/v1/agents/{slug}/skills/{name}',
  summary: 'Give an agent a skill or another version of it',
  description:
    'The tools that the skill requires become grants of the agent, held by `skill:<name>`. Grants that only the previous version held are removed. To go back, enable an older version.',
  needs: 'agents.manage',
  agents: 'none',
  params: pinParams,
  body: pinRequest,
  isBodyOptional: true,
  answer: asChange,
  async run({ slug: agent, ...pin }, { caller, parts }) {
    const { stores, rules } = parts
    const words = await rules.findWords(caller.tenant)
    const { tools, ...change } = await stores.skills.change(
      caller.tenant,
      caller.principal,
      (draft) => enable(draft, { agent, ...pin }, words),
    )
    await rules.refresh()
    return { ...change, unknownTools: await findUnknown(caller, tools, rules) }
  },
})

const disableSkill = define({
  http: 'DELETE /api/v1/agents/{slug}/skills/{name}',
  summary: 'Remove a skill from an agent',
  needs: 'agents.manage',
  agents: 'none',
  params: pinParams,
  query: dryRunQuery,
  answer: asChange,
  async run({ slug: agent, ...pin }, { caller, parts }) {
    const { tools: _none, ...change } = await parts.stores.rules.change(
      caller.tenant,
      caller.principal,
      (draft) => disable(draft, { agent, ...pin }),
    )
    await parts.rules.refresh()
    return { ...change, unknownTools: [] }
  },
})

/** Everything that can be done with skills, by library method. */
export const skillOperations = {
  listSkills,
  installSkill,
  findSkill,
  readSkillFile,
  removeSkill,
  listAgentSkills,
  enableSkill,
  disableSkill,
}

/** The patterns that apply while the skill is active. */
function narrowedBy({ permissions: { allow = [], deny = [] } = {} }: SkillManifest) {
  return [
    { where: 'permissions.allow', patterns: allow },
    { where: 'permissions.deny', patterns: deny },
  ]
}

/** Required tools that match none of this tenant's tools. Other tenants' tools do not count. */
async function findUnknown(
  { tenant }: Caller,
  required: readonly string[],
  rules: TenantRules,
): Promise<string[]> {
  const { groups } = await rules.findWords(tenant)
  const own = rules.tools(tenant)
  return required.filter((pattern) => !own.some(compilePattern(pattern, groups)))
}
