import { z } from 'zod'
import { defineEvents } from '../../core/events/define-events.ts'
import { sandboxDriverNames } from '../../core/host/sandbox.ts'
import { count, text } from '../../core/operations/payload-fields.ts'

const started = {
  workspace: text('The workspace that it runs in'),
  pid: count('Its number in this workspace'),
  command: text('The beginning of its command'),
}

const processEvents = defineEvents(
  { noun: 'Process', group: 'calls', stale: ['processes'] },
  {
    'process.started': {
      meaning: 'A background process was started in a workspace',
      data: () => z.object(started),
    },
    'process.ended': {
      meaning: 'A background process has ended, or was killed',
      data: () =>
        z.object({
          ...started,
          exitCode: count('How it ended, unless a signal ended it').optional(),
          signal: text('The signal that ended it').optional(),
          durationMs: z.number().meta({ description: 'How long it ran' }),
        }),
    },
  },
)

const checkEvents = defineEvents(
  { noun: 'Sandbox', group: 'audit', stale: ['sandbox'] },
  {
    'sandbox.checked': {
      meaning: 'The sandbox of a server was checked: programs run only in one that holds',
      data: () =>
        z.object({
          driver: z.enum(sandboxDriverNames).meta({ description: 'How programs are kept apart' }),
          state: z
            .enum(['verified', 'unavailable', 'unsandboxed'])
            .meta({ description: 'What was found' }),
          reason: text('Why it is unavailable').optional(),
        }),
    },
  },
)

export const sandboxEvents = { ...processEvents, ...checkEvents }
