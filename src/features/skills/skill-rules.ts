import { z } from 'zod'
import { ToolError } from '../../core/kernel/errors.ts'
import type { Page } from '../../core/kernel/page.ts'
import type { Rule, RuleStore } from '../../core/rules/rule-store.ts'
import type { SkillListing, SkillVersion } from './schemas.ts'

/** The stored rule of an installed skill. */
export interface SkillBody {
  /** The description of the newest version. */
  description: string
  /** Newest last. */
  versions: SkillVersion[]
}

const principal = z.object({
  kind: z.enum(['user', 'key', 'agent', 'worker', 'embed', 'system']),
  id: z.string(),
})
const skillBody = z.object({
  description: z.string(),
  versions: z
    .array(
      z.object({
        version: z.string(),
        files: z.number(),
        bytes: z.number(),
        installedAt: z.string(),
        installedBy: principal,
      }),
    )
    .min(1),
})
const pinBody = z.object({ version: z.string() })

/** The installed skill; undefined when the stored rule can't be read. */
export function readSkillRule(rule: Rule): SkillBody | undefined {
  return skillBody.safeParse(rule.body).data
}

/** The version an agent has; undefined when the stored rule can't be read. */
export function readPin(rule: Rule): string | undefined {
  return pinBody.safeParse(rule.body).data?.version
}

/** The name of the rule by which an agent has a skill. */
export function toPinName(agent: string, skill: string): string {
  return `${agent}/${skill}`
}

/** The rules by which an agent has skills, by name, up to a limit. */
export async function listPins(
  rules: Pick<RuleStore, 'page'>,
  { tenant, agent, limit }: { tenant: string; agent: string; limit: number },
): Promise<(Rule & { skill: string })[]> {
  const prefix = toPinName(agent, '')
  const { items }: Page<Rule> = await rules.page(tenant, 'enabled-skill', { after: prefix, limit })
  return items
    .filter(({ name }) => name.startsWith(prefix))
    .map((rule) => ({ ...rule, skill: rule.name.slice(prefix.length) }))
}

/** A skill in a list. One whose rule can't be read is listed anyway, so that it can be removed. */
export function toSkillListing(rule: Rule): SkillListing {
  const body = readSkillRule(rule)
  const newest = body?.versions.at(-1)
  return {
    name: rule.name,
    description: body?.description ?? "The stored skill can't be read",
    version: newest?.version ?? '',
    versions: body?.versions.length ?? 0,
    isDeclared: rule.isDeclared,
    installedAt: newest?.installedAt ?? rule.updatedAt,
    installedBy: newest?.installedBy ?? rule.updatedBy,
  }
}

const versionText = /^[0-9a-f]{8,64}$/

/** The version that is meant: the whole of it, its beginning, or nothing for the newest. */
export function pickVersion(rule: Rule, asked: string | undefined): string {
  const versions = readSkillRule(rule)?.versions ?? []
  if (asked === undefined) {
    const newest = versions.at(-1)
    if (newest !== undefined) return newest.version
    throw skillUnreadable(rule.name, 'Remove it with force, and install it again.')
  }
  const fitting = versionText.test(asked)
    ? versions.filter(({ version }) => version.startsWith(asked))
    : []
  const [only] = fitting
  if (only !== undefined && fitting.length === 1) return only.version
  throw new ToolError(
    'not_found',
    `The skill ${rule.name} has ${fitting.length > 1 ? 'several versions that begin with' : 'no version'} ${JSON.stringify(asked.slice(0, 64))}`,
    { fix: `toolcrib skills show ${rule.name} lists them; write at least 8 characters.` },
  )
}

/** The one answer for a skill that is not there and for one of another tenant. */
export function skillNotFound(name: string): ToolError {
  return new ToolError('not_found', `There is no skill ${JSON.stringify(name.slice(0, 100))}`, {
    fix: 'toolcrib skills lists what is installed.',
  })
}

export function skillUnreadable(name: string, fix: string): ToolError {
  return new ToolError('invalid_skill', `The stored skill ${name} can't be read`, { fix })
}
