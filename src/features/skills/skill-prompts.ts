import type { Caller } from '../../core/kernel/call.ts'
import { isToolError } from '../../core/kernel/errors.ts'
import type { LibrarySource } from '../../core/library/library-api.ts'
import type { PromptArgument } from '../../core/kernel/context/prompt-argument.ts'
import { requireOneOf } from '../../core/operations/require-permission.ts'
import type { EnabledSkill } from '../../core/kernel/context/skill-reader.ts'
import { fillSkill, toPromptArguments } from './files/skill-arguments.ts'
import { skillBounds, skillReaders } from './model.ts'
import { describeSkills, readInstalled } from './skill-library.ts'
import { toSkillListing } from './skill-rules.ts'
import type { OpenSkills } from './parts.ts'
import { checkArguments } from '../../core/library/check-arguments.ts'

const prefix = 'skills/'
const maxSkills = 1000

/**
 * The skills of the calling agent, as prompts. Callers without an agent get all installed skills if
 * they may read them: skills are given to agents, not to keys.
 */
export function createSkillPrompts({
  stores: skills,
  readerFor,
}: Pick<OpenSkills, 'stores' | 'readerFor'>): LibrarySource {
  async function listInstalled(caller: Caller): Promise<EnabledSkill[]> {
    requireOneOf(caller, skillReaders)
    const { items } = await skills.rules.page(caller.tenant, 'skill', { limit: maxSkills })
    const newest = items.map(toSkillListing)
    const pinned = newest.map(({ name, version }) => ({ skill: name, version }))
    const described = await describeSkills(skills, caller.tenant, pinned)
    return described.map((skill, at) => ({
      ...skill,
      description: newest[at]?.description ?? skill.description,
    }))
  }
  async function list(caller: Caller): Promise<readonly EnabledSkill[]> {
    if (caller.agent !== undefined) return readerFor(caller).list(maxSkills)
    return (await listInstalled(caller).catch(noneIfRefused)) ?? []
  }
  async function read(caller: Caller, name: string): Promise<SkillText> {
    if (caller.agent === undefined) {
      requireOneOf(caller, skillReaders)
      const { instructions, manifest } = await readInstalled(skills, caller.tenant, { name })
      return { text: instructions, taken: manifest.arguments }
    }
    const own = readerFor(caller)
    const range = { offset: 0, limit: skillBounds.textBytes }
    const { text = '' } = await own.read(name, 'SKILL.md', range)
    const listed = (await own.list(maxSkills)).find((skill) => skill.name === name)
    return { text, taken: listed?.arguments }
  }
  return {
    async listPrompts(caller, server) {
      if (server !== undefined) return []
      return (await list(caller)).map(({ name, description, arguments: taken }) => ({
        name: prefix + name,
        title: name,
        description,
        arguments: toPromptArguments(taken),
      }))
    },
    async getPrompt(caller, { name, server, arguments: given }) {
      if (server !== undefined || !name.startsWith(prefix)) return undefined
      const found = await read(caller, name.slice(prefix.length)).catch(noneIfRefused)
      if (found === undefined) return undefined
      checkArguments({ name, arguments: found.taken ?? [] }, given)
      const parts = fillSkill(found.text, found.taken, given)
      return {
        messages: parts.map((text) => ({ role: 'user', content: { type: 'text', text } })),
      }
    },
    async complete(_caller, { target, server }) {
      const isSkill = target.type === 'prompt' && target.name.startsWith(prefix)
      return isSkill && server === undefined ? { values: [] } : undefined
    },
  }
}

interface SkillText {
  text: string
  taken: readonly PromptArgument[] | undefined
}

/** Hidden, foreign and missing skills give no prompt; any other failure is thrown. */
function noneIfRefused(error: unknown): undefined {
  if (isToolError(error) && (error.code === 'forbidden' || error.code === 'not_found')) {
    return undefined
  }
  throw error
}
