import { z } from 'zod'
import { defineTool } from '../../core/define-tool.ts'

/** Gives a value a name and a shape. */
export const map = defineTool({
  name: 'flow.map',
  title: 'Shape a value',
  description:
    'Return a value as it is. Use it as a step of a composition to put together a value from the outputs of other steps, or from each item of a list, and refer to it by the name of the step.',
  icon: 'arrows-exchange',
  effect: 'read',
  idempotent: true,
  openWorld: false,
  inputSchema: z.object({ value: z.unknown().describe('The value, with references filled in') }),
  outputSchema: z.unknown(),
  examples: [{ label: 'A greeting', input: { value: { text: 'Good morning' } } }],
  execute: ({ value }) => value,
})
