import path from 'node:path'
import { skillBounds } from '../../../features/skills/model.ts'
import type {
  SkillChange,
  SkillDetail,
  SkillListing,
  SkillPin,
  SkillReceipt,
} from '../../../features/skills/schemas.ts'
import type { Command, CommandContext } from '../command.ts'
import { exit } from '../exit-codes.ts'
import { toSafeLine } from '../output/safe-text.ts'
import { usageError } from '../parse-options.ts'
import { findAction } from './find-action.ts'
import { showChange, showPins, showReceipt, showSkill, showSkills } from './show-skills.ts'

/** `toolcrib skills`: instructions with tools and permissions, and the agents that have them. */
export const skillsCommand: Command = {
  summary: 'Install skills, give them to agents, and take them off again.',
  usage: [
    'skills [list] [--q WORDS] [--agent AGENT]',
    'skills show <name> [--version VERSION]',
    'skills install <folder or zip>',
    'skills enable <name> --agent AGENT [--version VERSION] [--dry-run]',
    'skills disable <name> --agent AGENT [--dry-run]',
    'skills remove <name> [--force]',
  ],
  options: {
    q: { type: 'string', value: 'WORDS', summary: 'list: words in the name or description' },
    agent: { type: 'string', value: 'AGENT', summary: 'the agent that has it or gets it' },
    version: {
      type: 'string',
      value: 'VERSION',
      summary: 'which version, 8 characters or more; the newest without',
    },
    'dry-run': { type: 'boolean', summary: 'say what would change, and change nothing' },
    force: { type: 'boolean', summary: 'also while agents have it: it is taken off them first' },
  },
  maxWords: 2,
  reads: ['', 'list', 'show'],
  firstWord: ['list', 'show', 'install', 'enable', 'disable', 'remove'],
  notes: [
    'An upgrade and the way back are both enable, with another --version.',
    `A skill is a folder with SKILL.md; packed it may have ${skillBounds.zipBytes / 1024 / 1024} MB.`,
  ],
  examples: [
    'toolcrib skills install ./skills/business-review',
    'toolcrib skills enable business-review --agent reader --dry-run',
  ],
  run: (context) => findAction('skills', { list, show, install, enable, disable, remove }, context),
}

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
  else if (items.length === 0 && q !== undefined) screen.out('No skill fits. → toolcrib skills')
  else if (items.length === 0) screen.out('No skills. → toolcrib skills install FOLDER')
  else showSkills(screen, items)
  return exit.ok
}

async function show(context: CommandContext): Promise<number> {
  const { connect, options, screen } = context
  const place = placeOf(context)
  const { client } = await connect()
  const skill = await client.read<SkillDetail>(place, {
    query: { version: options.text('version') },
  })
  if (screen.isJson) screen.json(skill)
  else showSkill(screen, skill)
  return exit.ok
}

async function install({ connect, environment, screen, words }: CommandContext): Promise<number> {
  const place = words[1]
  if (place === undefined) {
    throw usageError('Which skill?', 'Write toolcrib skills install FOLDER, or the path of a zip.')
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

async function enable(context: CommandContext): Promise<number> {
  const { connect, options, screen } = context
  const place = pinOf(context)
  const { client } = await connect()
  const change = await client.read<SkillChange>(place, {
    method: 'PUT',
    body: { version: options.text('version'), dryRun: options.flag('dry-run') },
  })
  if (screen.isJson) screen.json(change)
  else showChange(screen, change)
  return exit.ok
}

async function disable(context: CommandContext): Promise<number> {
  const { connect, options, screen } = context
  const place = pinOf(context)
  const { client } = await connect()
  const change = await client.read<SkillChange>(place, {
    method: 'DELETE',
    query: { dryRun: options.flag('dry-run') ? 'true' : undefined },
  })
  if (screen.isJson) screen.json(change)
  else showChange(screen, change)
  return exit.ok
}

async function remove(context: CommandContext): Promise<number> {
  const { connect, options, screen, words } = context
  const place = placeOf(context)
  const { client } = await connect()
  const query = { force: options.flag('force') ? 'true' : undefined }
  await client.send(place, { method: 'DELETE', query })
  if (screen.isJson) screen.json({ name: words[1], removed: true })
  else screen.out(`${screen.style('green', '✓')} ${toSafeLine(words[1] ?? '')} is gone`)
  return exit.ok
}

function placeOf({ words }: CommandContext): string {
  const name = words[1]
  if (name !== undefined) return `/skills/${encodeURIComponent(name)}`
  throw usageError('Which skill?', 'toolcrib skills lists their names.')
}

function pinOf({ words, options }: CommandContext): string {
  const [, name] = words
  const agent = options.text('agent')
  if (name === undefined || agent === undefined) {
    throw usageError(
      'Which skill, and for which agent?',
      `Write toolcrib skills ${words[0]} ${name ?? 'NAME'} --agent ${agent ?? 'AGENT'}`,
    )
  }
  return `/agents/${encodeURIComponent(agent)}/skills/${encodeURIComponent(name)}`
}
