import { ToolError } from '../../core/kernel/errors.ts'
import { toGrants } from '../../core/policy/grants.ts'
import type { Vocabulary } from '../../core/policy/level.ts'
import { compilePatterns } from '../../core/patterns/patterns.ts'
import type { Grant } from '../../core/policy/scope.ts'
import type { Rule, RuleDraft } from '../../core/rules/rule-store.ts'
import { type GrantPlan, planSkillGrants } from './plan-grants.ts'
import { checkPatterns, readManifest } from './files/skill-manifest.ts'
import type { SkillDraft } from './skill-store.ts'
import { type SkillManifest, toSkillSource } from './model.ts'
import type { SkillChange } from './schemas.ts'
import { agentSchema } from '../../core/rules/rule-schemas.ts'
import { agentNotFound } from '../../core/rules/agent-not-found.ts'
import { readGrants } from '../../core/rules/read-rules.ts'
import { pickVersion, readPin, skillNotFound, skillUnreadable, toPinName } from './skill-rules.ts'

/** The tools that an agent needs for any skill, besides the skill's own. */
const readingTools = ['skill.list', 'skill.read']

interface Pin {
  agent: string
  name: string
  version?: string
  dryRun?: boolean
  /** Enabled by configuration: it can't be changed elsewhere. */
  isDeclared?: boolean
}

type Change = Omit<SkillChange, 'unknownTools'> & { tools: readonly string[] }

/**
 * Gives an agent a version of a skill, in place of the one it has: the tools it requires become
 * grants, and those that only the other version required go.
 */
export async function enableSkill(
  draft: SkillDraft,
  { agent, name, version: asked, dryRun = false, isDeclared = false }: Pin,
  words: Vocabulary,
): Promise<Change> {
  const own = await findAgent(draft, agent)
  const { version, manifest } = await findVersion(draft, { name, asked }, words)
  const pin = await draft.find('enabled-skill', toPinName(agent, name))
  const previous = pin && readPin(pin)
  if (!isDeclared) refuseDeclared(pin, { agent, name })
  const plan = planSkillGrants(
    { added: await findGrants(draft, agent), own: ownGrants(own) },
    name,
    [...new Set([...manifest.tools, ...readingTools])],
  )
  compilePatterns(allowedIn(plan.next), words.groups)
  const { tools } = manifest
  const change = { agent, skill: name, version, previous, grants: plan.grants, tools }
  const isPinned = previous === version && pin?.isDeclared === isDeclared
  if (dryRun || (isPinned && isIdle(plan))) return { ...change, isDryRun: dryRun }
  await writeGrants(draft, { agent, name, plan })
  await draft.put('enabled-skill', toPinName(agent, name), { body: { version }, isDeclared })
  const told = { agent, skill: name, version }
  draft.tell('skill.enabled', previous === undefined ? told : { ...told, previous })
  return { ...change, isDryRun: false }
}

/** Takes a skill off an agent, with the grants that nothing else holds. */
export async function disableSkill(draft: RuleDraft, pin: Pin): Promise<Change> {
  await findAgent(draft, pin.agent)
  refuseDeclared(await draft.find('enabled-skill', toPinName(pin.agent, pin.name)), pin)
  return takeOff(draft, pin)
}

/** The same for an agent that need not be there any more. */
export async function takeOff(
  draft: RuleDraft,
  { agent, name, dryRun = false }: Pin,
): Promise<Change> {
  const pin = await draft.find('enabled-skill', toPinName(agent, name))
  if (pin === undefined) throw notEnabled(agent, name)
  const previous = readPin(pin)
  const rule = await draft.find('agent', agent)
  const own = rule === undefined ? [] : ownGrants(rule)
  const plan = planSkillGrants({ added: await findGrants(draft, agent), own }, name, [])
  const change = { agent, skill: name, previous, grants: plan.grants, tools: [] }
  if (dryRun) return { ...change, isDryRun: true }
  await writeGrants(draft, { agent, name, plan })
  await draft.delete('enabled-skill', toPinName(agent, name))
  draft.tell('skill.disabled', { agent, skill: name, ...(previous !== undefined && { previous }) })
  return { ...change, isDryRun: false }
}

/** Takes all skills off an agent that goes. Its grants go with it. */
export function forgetSkills(draft: RuleDraft, agent: string): Promise<void> {
  return draft.deleteUnder('enabled-skill', toPinName(agent, ''))
}

/** The one answer for a skill that is not installed and for one that the agent has not. */
export function notEnabled(agent: string, name: string): ToolError {
  return new ToolError(
    'not_found',
    `The agent ${agent} has no skill ${JSON.stringify(name.slice(0, 100))}`,
    { fix: `toolcrib skills enable NAME --agent ${agent} gives it one.` },
  )
}

function refuseDeclared(rule: Rule | undefined, { agent, name }: Pin): void {
  if (rule?.isDeclared !== true) return
  throw new ToolError('conflict', `Configuration gives the agent ${agent} the skill ${name}`, {
    fix: 'Change skills of the agent in the configuration, and start again.',
  })
}

async function findAgent(draft: RuleDraft, agent: string): Promise<Rule> {
  const rule = await draft.find('agent', agent)
  if (rule !== undefined) return rule
  throw agentNotFound(agent)
}

async function findVersion(
  draft: SkillDraft,
  { name, asked }: { name: string; asked: string | undefined },
  words: Vocabulary,
): Promise<{ version: string; manifest: SkillManifest }> {
  const rule = await draft.find('skill', name)
  if (rule === undefined) throw skillNotFound(name)
  const version = pickVersion(rule, asked)
  const stored = await draft.findVersion(name, version)
  const manifest = stored && readManifest(stored.manifest)
  if (manifest === undefined) {
    throw skillUnreadable(name, 'Install it again.')
  }
  // Groups and profiles may have been removed since it was installed.
  const [issue] = checkPatterns(manifest, words)
  if (issue === undefined) return { version, manifest }
  throw new ToolError(
    'invalid_skill',
    `SKILL.md of ${name}: ${issue.at.join('.')} ${issue.message}`,
  )
}

async function findGrants(draft: RuleDraft, agent: string): Promise<Grant[]> {
  const rule = await draft.find('grants', agent)
  const grants = rule === undefined ? [] : readGrants(rule)
  if (grants !== undefined) return grants
  throw new ToolError('conflict', `The grants of the agent ${agent} can't be read`, {
    fix: 'Write them anew first.',
  })
}

function ownGrants(rule: Rule): Grant[] {
  const spec = agentSchema.safeParse(rule.body)
  return spec.success ? toGrants(spec.data.tools, rule.isDeclared ? 'global' : 'manual') : []
}

/** Holds and lets go of nothing that it did not before. */
function isIdle({ held, released }: GrantPlan): boolean {
  return held.length + released.length === 0
}

function allowedIn(grants: readonly Grant[]): string[] {
  return grants.filter(({ kind }) => kind === 'allow').map(({ pattern }) => pattern)
}

async function writeGrants(
  draft: RuleDraft,
  { agent, name, plan }: { agent: string; name: string; plan: GrantPlan },
): Promise<void> {
  const source = toSkillSource(name)
  const grants = plan.next.map((grant) => ({ ...grant, sources: [...grant.sources] }))
  if (grants.length === 0) await draft.delete('grants', agent)
  else await draft.put('grants', agent, { body: grants })
  for (const pattern of plan.held)
    draft.tell('grant.added', { agent, pattern, kind: 'allow', source })
  for (const pattern of plan.released) {
    draft.tell('grant.removed', { agent, pattern, kind: 'allow', source })
  }
}
