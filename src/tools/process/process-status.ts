import { z } from 'zod'
import { defineTool } from '../../core/define-tool.ts'
import { pidField, processFields, toProcess } from './process-fields.ts'

/** How background processes are doing. */
export const processStatus = defineTool({
  name: 'process.status',
  title: 'Status of processes',
  description:
    'See whether the background processes of this session still run, how they ended, and how much they have written. Give a pid for one of them, or null for all. Read what they wrote with process.output.',
  icon: 'list',
  effect: 'read',
  openWorld: false,
  inputSchema: z.object({
    pid: pidField.nullable().describe('The number that process.start gave; null for all'),
  }),
  outputSchema: z.object({ processes: z.array(processFields) }),
  examples: [{ label: 'All of them', input: { pid: null } }],
  sections: [{ key: 'processes', label: 'Processes', type: 'table' }],

  async execute({ pid }, { processes }) {
    const found = pid === null ? await processes.list() : [await processes.status(pid)]
    return { processes: found.map(toProcess) }
  },
})
