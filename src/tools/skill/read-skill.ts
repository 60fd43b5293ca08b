import { z } from 'zod'
import { defineTool } from '../../core/define-tool.ts'

const usualBytes = 32_768

/** The instructions of a skill that the calling agent has, or one of its files. */
export const readSkill = defineTool({
  name: 'skill.read',
  title: 'Read a skill',
  description:
    'Read a skill you have: its instructions and the list of its files. With a path, read one of those files as text. Long text comes in pages: read on from next. Call skill.list first when you do not know the name.',
  icon: 'book-open',
  effect: 'read',
  idempotent: true,
  openWorld: false,
  maxOutputBytes: 262_144,
  inputSchema: z.object({
    name: z.string().min(1).max(63).describe('The name of the skill, as skill.list has it'),
    path: z
      .string()
      .min(1)
      .max(512)
      .nullable()
      .describe('A file of the skill; null for its instructions'),
    offset: z.int().min(0).nullable().describe('The byte to read from (0)'),
    limit: z.int().min(256).max(65_536).nullable().describe(`Bytes to read (${usualBytes})`),
  }),
  outputSchema: z.object({
    name: z.string(),
    version: z.string(),
    path: z.string(),
    text: z.string().max(65_536).nullable().describe('Null for a file that is not text'),
    isText: z.boolean(),
    bytes: z.int().describe('Size of the whole file'),
    offset: z.int(),
    next: z.int().nullable().describe('Where to continue; null at the end'),
    files: z
      .array(z.object({ path: z.string(), bytes: z.int(), isText: z.boolean() }))
      .describe('The other files of the skill, with its instructions'),
  }),
  examples: [
    {
      label: 'Read the instructions',
      input: { name: 'refund-policy', path: null, offset: null, limit: null },
    },
    {
      label: 'Read one of its files',
      input: { name: 'refund-policy', path: 'letters/refused.md', offset: null, limit: null },
    },
  ],
  sections: [{ key: 'text', label: 'Text', type: 'markdown' }],

  async execute({ name, path, offset, limit }, { skills }) {
    const range = { offset: offset ?? 0, limit: limit ?? usualBytes }
    const page = await skills.read(name, path ?? 'SKILL.md', range)
    const version = page.version.slice(0, 12)
    return {
      ...page,
      version,
      text: page.text ?? null,
      next: page.next ?? null,
      files: [...page.files],
    }
  },
})
