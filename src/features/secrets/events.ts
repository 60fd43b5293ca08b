import { z } from 'zod'
import { defineEvents } from '../../core/events/define-events.ts'
import { agent as slug, count, text, texts } from '../../core/operations/payload-fields.ts'

const name = text('The name of the secret')
const agent = slug.optional().meta({ description: 'The agent it belongs to; absent: the tenant' })

export const secretEvents = {
  ...defineEvents(
    { noun: 'Secret', group: 'secrets', stale: ['secrets', 'tools', 'tool', 'explain'] },
    {
      'secret.written': {
        meaning: 'A secret was set or replaced; never its value',
        data: () => z.object({ name, agent, version: count('Counts up with every value') }),
      },
      'secret.changed': {
        meaning: 'The notes of a secret changed: its description, when it expires',
        data: () => z.object({ name, agent, parts: texts('The notes in the request') }),
      },
      'secret.deleted': { meaning: 'A secret was deleted', data: () => z.object({ name, agent }) },
    },
  ),
  ...defineEvents(
    { noun: 'Master key', group: 'secrets', stale: [] },
    {
      'keyring.rotated': {
        meaning: 'A rotation of the master key began or finished, or an old key was dropped',
        data: () =>
          z.object({
            step: z.enum(['begun', 'finished', 'dropped']).meta({ description: 'What happened' }),
            keyId: text('The key: the new one, or the one that was dropped'),
            from: text('The key before').optional(),
            left: z
              .object({ secrets: count('Secrets'), inputs: count('Inputs of schedules and calls') })
              .optional()
              .meta({ description: 'The values still sealed with older keys' }),
          }),
      },
    },
  ),
}
