import { storeTime } from '../../core/kernel/ids.ts'
import type { Principal } from '../../core/kernel/call.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import type { Rule } from '../../core/rules/rule-store.ts'
import type { SkillDraft } from './skill-store.ts'
import { skillBounds, type ReadSkill } from './model.ts'
import type { SkillVersion } from './schemas.ts'
import { readSkillRule, skillNotFound } from './skill-rules.ts'
import { takeOff } from './enable-skill.ts'

interface Installation {
  by: Principal
  isDeclared: boolean
}

/** Puts a version among the installed ones, as the newest. The same content again changes nothing. */
export async function installSkill(
  draft: SkillDraft,
  skill: ReadSkill,
  { by, isDeclared }: Installation,
): Promise<{ isNew: boolean; dropped: string[] }> {
  const { name, description, tools } = skill.manifest
  const rule = await draft.find('skill', name)
  const known = rule === undefined ? [] : versionsOf(rule)
  const isThere = known.some(({ version }) => version === skill.version)
  const isNewest = known.at(-1)?.version === skill.version
  if (isNewest && (rule?.isDeclared === true || !isDeclared)) return { isNew: false, dropped: [] }
  if (rule?.isDeclared === true && !isDeclared) throw declared(name)
  const bytes = skill.files.reduce((sum, file) => sum + file.bytes.length, 0)
  if (!isThere) await checkRoom(draft, { isFirst: rule === undefined, bytes })
  await draft.keepVersion(skill)
  const installed = {
    files: skill.files.length,
    bytes,
    installedAt: new Date(storeTime()).toISOString(),
  }
  const others = known.filter(({ version }) => version !== skill.version)
  const all = [...others, { version: skill.version, ...installed, installedBy: by }]
  const { kept, dropped } = await dropOldest(draft, name, all)
  const versions = kept.map((version) => ({ ...version, installedBy: { ...version.installedBy } }))
  await draft.put('skill', name, { body: { description, versions }, isDeclared })
  const data = { skill: name, version: skill.version, tools: [...tools], bytes, isDeclared }
  draft.tell('skill.installed', dropped.length === 0 ? data : { ...data, dropped })
  return { isNew: !isThere, dropped }
}

/** Removes all of a skill. Forced, agents lose it first. */
export async function removeSkill(
  draft: SkillDraft,
  name: string,
  { force }: { force: boolean },
): Promise<void> {
  const rule = await draft.find('skill', name)
  if (rule === undefined) throw skillNotFound(name)
  if (rule.isDeclared) throw declared(name)
  await dropSkill(draft, name, { force })
}

/** The same for any origin. */
export async function dropSkill(
  draft: SkillDraft,
  name: string,
  { force }: { force: boolean },
): Promise<void> {
  const users = await draft.listUsers(name)
  if (users.length > 0 && !force) throw inUse(name, users)
  for (const { agent } of users) await takeOff(draft, { agent, name })
  await draft.dropVersions(name)
  await draft.delete('skill', name)
  draft.tell('skill.removed', { skill: name, agents: users.length })
}

function versionsOf(rule: Rule): SkillVersion[] {
  const body = readSkillRule(rule)
  if (body !== undefined) return body.versions
  throw new ToolError('conflict', `The stored skill ${rule.name} can't be read`, {
    fix: 'Remove it with --force first.',
  })
}

async function checkRoom(
  draft: SkillDraft,
  { isFirst, bytes }: { isFirst: boolean; bytes: number },
): Promise<void> {
  const used = await draft.measure()
  if (isFirst && used.skills >= skillBounds.skills) {
    throw noRoom(`${skillBounds.skills} skills are installed, and no more are possible`)
  }
  if (used.bytes + bytes > skillBounds.tenantBytes) {
    throw noRoom(`Skills would take over ${skillBounds.tenantBytes} bytes`)
  }
}

/** The newest stays, and so does what an agent has. */
async function dropOldest(
  draft: SkillDraft,
  name: string,
  versions: SkillVersion[],
): Promise<{ kept: SkillVersion[]; dropped: string[] }> {
  const excess = versions.length - skillBounds.versions
  if (excess <= 0) return { kept: versions, dropped: [] }
  const used = new Set((await draft.listUsers(name)).map(({ version }) => version))
  const dropped = versions
    .slice(0, -1)
    .filter(({ version }) => !used.has(version))
    .slice(0, excess)
    .map(({ version }) => version)
  if (dropped.length < excess) {
    throw noRoom(`Agents have ${skillBounds.versions} versions of the skill ${name}`)
  }
  for (const version of dropped) await draft.dropVersions(name, version)
  return { kept: versions.filter(({ version }) => !dropped.includes(version)), dropped }
}

function noRoom(message: string): ToolError {
  return new ToolError('quota_exceeded', message, {
    fix: 'Remove skills that nobody needs, or move agents to newer versions.',
  })
}

function declared(name: string): ToolError {
  return new ToolError('conflict', `Configuration declares the skill ${name}`, {
    fix: 'Change its folder, or take it out of skills in the configuration; then start again.',
  })
}

function inUse(name: string, users: readonly { agent: string }[]): ToolError {
  const shown = users.slice(0, 10).map(({ agent }) => agent)
  const more = users.length > shown.length ? ` and ${users.length - shown.length} more` : ''
  const noun = users.length === 1 ? 'agent has' : 'agents have'
  return new ToolError('conflict', `The ${noun} the skill ${name}: ${shown.join(', ')}${more}`, {
    fix: 'Take it off them first (toolcrib skills disable), or remove it with --force.',
    details: { agents: shown },
  })
}
