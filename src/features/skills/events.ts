import { z } from 'zod'
import { defineEvents } from '../../core/events/define-events.ts'
import { agent, count, text, texts } from '../../core/operations/payload-fields.ts'

const skill = text('The name of the skill')
const version = text('Its version, a content hash')
const previous = text('The version the agent had before').optional()

export const skillEvents = defineEvents(
  { noun: 'Skill', group: 'agents', stale: ['skills', 'agents'] },
  {
    'skill.installed': {
      meaning: 'A version of a skill was installed',
      data: () =>
        z.object({
          skill,
          version,
          tools: texts('The tools it requires'),
          bytes: count('The size of its files'),
          isDeclared: z.boolean().meta({ description: 'Whether configuration declares it' }),
          dropped: texts('Old versions that were removed').optional(),
        }),
    },
    'skill.removed': {
      meaning: 'A skill was removed',
      data: () => z.object({ skill, agents: count('How many agents had it') }),
    },
    'skill.enabled': {
      meaning: 'An agent got a version of a skill',
      data: () => z.object({ agent, skill, version, previous }),
    },
    'skill.disabled': {
      meaning: 'A skill was disabled for an agent',
      data: () => z.object({ agent, skill, previous }),
    },
  },
)
