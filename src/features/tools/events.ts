import { defineEvents } from '../../core/events/define-events.ts'

export const toolEvents = defineEvents(
  { noun: 'Tool', group: 'tools', stale: ['tools', 'tool', 'explain', 'mcp-servers'] },
  {
    'tool.registered': { meaning: 'A tool appeared while the server ran' },
    'tool.changed': { meaning: 'A tool was replaced by another version of itself' },
    'tool.removed': { meaning: 'A tool is gone' },
    'tool.quarantined': { meaning: 'A tool was set aside, with the reason' },
    'tool.file_failed': {
      meaning: 'A changed tool file does not load; its tools stay as they were',
      stale: ['tools', 'tool', 'tool-files'],
    },
    'tool.file_loaded': {
      meaning: 'A tool file that did not load does now, or is gone',
      stale: ['tools', 'tool', 'tool-files'],
    },
    'tool.gone': { meaning: 'A tool is on no server any more; what names it is kept for a while' },
    'tool.returned': { meaning: 'A tool that was gone is back' },
  },
)
