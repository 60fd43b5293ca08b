import path from 'node:path'
import type {
  SkillChange,
  SkillDetail,
  SkillListing,
  SkillPin,
  SkillReceipt,
} from '../../../../features/skills/schemas.ts'
import type { CommandContext } from '../../command.ts'
import { exit } from '../../exit-codes.ts'
import type { ByHand } from '../../operations/to-command.ts'
import { usageError } from '../../parse-options.ts'
import { showChange, showPins, showReceipt, showSkill, showSkills } from './show-skills.ts'

/** The verbs of `toolcrib skills` that are not operations, and how skills are shown. */
export const skillsByHand: ByHand = {
  actions: {
    list: {
      usage: ['skills [list] [--q WORDS] [--agent AGENT]'],
      options: {
        q: { type: 'string', value: 'WORDS', summary: 'words in the name or description' },
        agent: { type: 'string', value: 'AGENT', summary: 'only the skills of this agent' },
      },
      maxWords: 0,
      isReading: true,
      run: list,
    },
    install: { usage: ['skills install <folder or zip>'], run: install },
  },
  views: {
    show: ({ screen }, skill: SkillDetail) => showSkill(screen, skill),
    enable: ({ screen }, change: SkillChange) => showChange(screen, change),
    disable: ({ screen }, change: SkillChange) => showChange(screen, change),
  },
}

/** Those of an agent come from another operation. */
async function list({ connect, options, screen }: CommandContext): Promise<number> {
  const agent = options.text('agent')
  const { client } = await connect()
  if (agent !== undefined) {
    const place = `/agents/${encodeURIComponent(agent)}/skills`
    const { items } = await client.read<{ items: SkillPin[] }>(place)
    if (screen.isJson) screen.json({ items })
    else showPins(screen, agent, items)
    return exit.ok
  }
  const q = options.text('q')
  const items = await client.all<SkillListing>('/skills', { q, limit: 500 })
  if (screen.isJson) screen.json({ items })
  else if (items.length > 0) showSkills(screen, items)
  else if (q !== undefined) screen.out('No skill matches. → toolcrib skills')
  else screen.out('No skills. → toolcrib skills install FOLDER')
  return exit.ok
}

async function install({ connect, environment, screen, words }: CommandContext): Promise<number> {
  const [, place] = words
  if (place === undefined) {
    throw usageError('The folder is missing.', 'Write toolcrib skills install <folder or zip>')
  }
  const content = await environment.packSkill(path.resolve(environment.cwd, place))
  const { client } = await connect()
  const receipt = await client.read<SkillReceipt>('/skills', {
    method: 'POST',
    bytes: { type: 'application/zip', content },
  })
  if (screen.isJson) screen.json(receipt)
  else showReceipt(screen, receipt)
  return exit.ok
}
