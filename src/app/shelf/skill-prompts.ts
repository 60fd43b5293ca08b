import type { Caller } from '../../core/call.ts'
import { isToolError } from '../../core/errors.ts'
import type { PipelinePorts } from '../../core/pipeline/ports.ts'
import type { PromptText, ShelfSource } from '../../core/shelf/shelf-api.ts'
import { skillBounds } from '../../core/skills/skill-bounds.ts'
import type { SkillsApi } from '../../core/skills/skills-api.ts'

const prefix = 'skills/'
const maxSkills = 1000

/** Skills as prompts: those of the calling agent, or for people those that the tenant has installed. */
export function createSkillPrompts(parts: {
  skills: Pick<SkillsApi, 'listSkills' | 'findSkill'>
  ports: Pick<PipelinePorts, 'skillsFor'>
}): ShelfSource {
  const { skills, ports } = parts
  async function list(caller: Caller) {
    if (caller.agent !== undefined) return ports.skillsFor(caller).list(maxSkills)
    // Who may not see skills has none.
    const page = await skills.listSkills(caller, { limit: maxSkills }).catch(noneIfRefused)
    return page?.items ?? []
  }
  async function read(caller: Caller, name: string): Promise<string | undefined> {
    if (caller.agent === undefined) return (await skills.findSkill(caller, name)).instructions
    const range = { offset: 0, limit: skillBounds.textBytes }
    return (await ports.skillsFor(caller).read(name, 'SKILL.md', range)).text
  }
  return {
    async listPrompts(caller, server) {
      if (server !== undefined) return []
      return (await list(caller)).map(({ name, description }) => ({
        name: prefix + name,
        title: name,
        description,
        arguments: [taskArgument],
      }))
    },
    async getPrompt(caller, { name, server, arguments: given }) {
      if (server !== undefined || !name.startsWith(prefix)) return undefined
      const text = await read(caller, name.slice(prefix.length)).catch(noneIfRefused)
      return text === undefined ? undefined : toPrompt(text, given['task'])
    },
    async complete(_caller, { target, server }) {
      const isSkill = target.type === 'prompt' && target.name.startsWith(prefix)
      return isSkill && server === undefined ? { values: [] } : undefined
    },
  }
}

const taskArgument = { name: 'task', description: 'What to do with it', required: false }

function toPrompt(text: string, task: string | undefined): PromptText {
  const said = task === undefined ? [text] : [text, task]
  return {
    messages: said.map((part) => ({ role: 'user', content: { type: 'text', text: part } })),
  }
}

/** Hidden, foreign and missing are all nothing; other failures are failures. */
function noneIfRefused(error: unknown): undefined {
  if (isToolError(error) && (error.code === 'forbidden' || error.code === 'not_found')) {
    return undefined
  }
  throw error
}
