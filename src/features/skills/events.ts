import { defineEvents } from '../../core/events/define-events.ts'

export const skillEvents = defineEvents(
  { noun: 'Skill', group: 'agents', stale: ['skills', 'agents'] },
  {
    'skill.installed': { meaning: 'A version of a skill was installed' },
    'skill.removed': { meaning: 'A skill was removed' },
    'skill.enabled': { meaning: 'An agent was given a version of a skill' },
    'skill.disabled': { meaning: 'A skill was taken off an agent' },
  },
)
