import { defineEvents } from '../../core/events/define-events.ts'

export const secretEvents = {
  ...defineEvents(
    { noun: 'Secret', group: 'secrets', stale: ['secrets', 'tools', 'tool', 'explain'] },
    {
      'secret.written': { meaning: 'A secret was set or replaced; never its value' },
      'secret.changed': {
        meaning: 'What is noted of a secret was changed: what it is for, when it expires',
      },
      'secret.deleted': { meaning: 'A secret was removed' },
    },
  ),
  ...defineEvents(
    { noun: 'Master key', group: 'secrets', stale: [] },
    {
      'keyring.rotated': { meaning: 'Secrets were wrapped under another master key' },
    },
  ),
}
