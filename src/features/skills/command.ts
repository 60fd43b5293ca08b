import type { CommandGroup } from '../../core/operations/command-group.ts'
import { skillBounds } from './model.ts'
import type { skillOperations } from './operations.ts'

const pin = { slug: { flag: 'agent', value: 'AGENT', summary: 'the agent that gets or loses it' } }

/** `toolcrib skills`; listing and installing are by hand. */
export const skillCommand: CommandGroup<typeof skillOperations> = {
  name: 'skills',
  one: 'skill',
  summary: 'List, show, install and remove skills, and enable them for agents.',
  commands: {
    findSkill: { verb: 'show', words: ['name'] },
    enableSkill: { verb: 'enable', words: ['name'], options: pin },
    disableSkill: { verb: 'disable', words: ['name'], options: pin },
    removeSkill: { verb: 'remove', words: ['name'], done: 'removed' },
  },
  notes: [
    'To upgrade or downgrade, enable the skill with another --version.',
    `A skill is a folder with a SKILL.md; packed, it is at most ${skillBounds.zipBytes / 1024 / 1024} MB.`,
  ],
  examples: [
    'toolcrib skills install ./skills/business-review',
    'toolcrib skills enable business-review --agent reader --dry-run',
  ],
}
