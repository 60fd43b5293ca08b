import { z } from 'zod'
import { defineEvents } from '../../core/events/define-events.ts'
import { text } from '../../core/operations/payload-fields.ts'
import { workspaceModes } from '../../core/kernel/context/workspace.ts'

const workspace = text('The workspace')
const session = text('Its session').optional()

export const workspaceEvents = defineEvents(
  { noun: 'Workspace', group: 'calls', stale: ['workspaces'] },
  {
    'workspace.created': {
      meaning: 'A workspace was created for a session or a caller',
      data: () => z.object({ workspace, session }),
    },
    'workspace.changed': {
      meaning: 'The mode of a workspace was changed',
      data: () =>
        z.object({
          workspace,
          mode: z.enum(workspaceModes).meta({ description: 'May its files be changed' }),
        }),
    },
    'workspace.removed': {
      meaning: 'A workspace was removed with its files',
      data: () =>
        z.object({
          workspace,
          session,
          because: z
            .enum(['asked', 'idle', 'conversation deleted'])
            .meta({ description: 'The reason' }),
        }),
    },
  },
)
