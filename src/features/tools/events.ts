import { z } from 'zod'
import { defineEvents } from '../../core/events/define-events.ts'
import { reason, text, texts, tool } from '../../core/operations/payload-fields.ts'

const named = () => z.object({ tool })
const judged = () =>
  z.object({ tool, reason: reason.optional().meta({ description: 'Why it is quarantined' }) })
const file = text('The file, from the working folder')
const stale = ['tools', 'tool', 'tool-files']

export const toolEvents = defineEvents(
  { noun: 'Tool', group: 'tools', stale: ['tools', 'tool', 'explain', 'mcp-servers'] },
  {
    'tool.registered': { meaning: 'A tool was added while the server ran', data: judged },
    'tool.changed': { meaning: 'A tool was replaced by another version of itself', data: judged },
    'tool.removed': { meaning: 'A tool was removed', data: judged },
    'tool.quarantined': { meaning: 'A tool was quarantined, and why', data: judged },
    'tool.file_failed': {
      meaning: 'A changed tool file does not load; its tools stay as they were',
      stale,
      data: () => z.object({ file, tools: texts('The tools that it had') }),
    },
    'tool.file_loaded': {
      meaning: 'A tool file that did not load does now, or was deleted',
      stale,
      data: () => z.object({ file }),
    },
    'tool.gone': {
      meaning: 'A tool is on no server any more; grants that name it are kept for a while',
      data: named,
    },
    'tool.returned': { meaning: 'A missing tool is back', data: named },
  },
)
