import { z } from 'zod'
import { defineTool } from '../../core/define-tool.ts'

const most = 200

/** Which skills the calling agent has. */
export const listSkills = defineTool({
  name: 'skill.list',
  title: 'List skills',
  description:
    'List the skills you have: short names with what each is for. When one fits the task, read it with skill.read before you begin, and follow it.',
  icon: 'book-open',
  effect: 'read',
  idempotent: true,
  openWorld: false,
  inputSchema: z.object({}),
  outputSchema: z.object({
    skills: z.array(
      z.object({
        name: z.string().describe('What skill.read takes'),
        description: z.string().describe('When to use it'),
        version: z.string().describe('The first characters of its content hash'),
      }),
    ),
  }),
  examples: [{ label: 'What can I follow?', input: {} }],
  sections: [{ key: 'skills', label: 'Skills', type: 'table' }],

  async execute(_input, { skills }) {
    const found = await skills.list(most)
    return {
      skills: found.map(({ name, description, version }) => {
        return { name, description, version: version.slice(0, 12) }
      }),
    }
  },
})
