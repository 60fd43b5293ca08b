import type { Caller } from '../../core/call.ts'
import { isToolError } from '../../core/errors.ts'
import type { PipelinePorts } from '../../core/pipeline/ports.ts'
import type { Store } from '../../core/ports.ts'
import type { PromptArgument } from '../../core/library/prompt-argument.ts'
import type { LibrarySource } from '../../core/library/library-api.ts'
import { fillSkill, toPromptArguments } from '../../core/skills/skill-arguments.ts'
import { skillBounds } from '../../core/skills/skill-bounds.ts'
import { readManifest } from '../../core/skills/skill-manifest.ts'
import type { EnabledSkill } from '../../core/skills/skill-reader.ts'
import type { SkillsApi } from '../../core/skills/skills-api.ts'
import { checkArguments } from './check-arguments.ts'

const prefix = 'skills/'
const maxSkills = 1000

interface SkillPromptParts {
  skills: Pick<SkillsApi, 'listSkills' | 'findSkill'>
  store: Pick<Store, 'skills'>
  ports: Pick<PipelinePorts, 'skillsFor'>
}

/**
 * Skills as prompts: those of the calling agent. Who calls as none has those that the tenant has
 * installed, if it may see them at all: skills are given to agents, not to keys.
 */
export function createSkillPrompts({ skills, store, ports }: SkillPromptParts): LibrarySource {
  async function list(caller: Caller): Promise<readonly EnabledSkill[]> {
    if (caller.agent !== undefined) return ports.skillsFor(caller).list(maxSkills)
    // Who may not see skills has none.
    const page = await skills.listSkills(caller, { limit: maxSkills }).catch(noneIfRefused)
    const newest = (page?.items ?? []).map(({ name, version }) => ({ skill: name, version }))
    const found = await store.skills.findManifests(caller.tenant, newest)
    const manifests = new Map(found.map(({ skill, manifest }) => [skill, readManifest(manifest)]))
    return (page?.items ?? []).map(({ name, version, description }) => {
      const taken = manifests.get(name)?.arguments
      return { name, version, description, ...(taken && { arguments: taken }) }
    })
  }
  async function read(caller: Caller, name: string): Promise<SkillText> {
    if (caller.agent === undefined) {
      const { instructions, manifest } = await skills.findSkill(caller, name)
      return { text: instructions, taken: manifest.arguments }
    }
    const own = ports.skillsFor(caller)
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

/** Hidden, foreign and missing are all nothing; other failures are failures. */
function noneIfRefused(error: unknown): undefined {
  if (isToolError(error) && (error.code === 'forbidden' || error.code === 'not_found')) {
    return undefined
  }
  throw error
}
