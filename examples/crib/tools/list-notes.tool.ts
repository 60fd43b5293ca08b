import { defineTool, z } from 'toolcrib'
import { noteSchema, toAnswer } from '../lib/note-schema.ts'
import { notesPath, readNotes } from '../lib/notes-file.ts'

/** Lists notes, newest first. */
export default defineTool({
  name: 'demo.list-notes',
  title: 'List notes',
  description:
    'List kept notes, newest first: all of them, or those with a tag, some text or an id. ' +
    'Use it to look something up, and before demo.delete-notes to get the ids.',
  icon: 'notes',
  effect: 'read',
  // Fifty of the longest notes.
  maxOutputBytes: 262_144,
  inputSchema: z.object({
    tag: z.string().max(40).nullable().describe('Only notes with this tag (all)'),
    contains: z
      .string()
      .max(200)
      .nullable()
      .describe('Only notes with this text, in any case (all)'),
    ids: z
      .array(z.string().max(80))
      .max(50)
      .nullable()
      .describe('Only the notes with these ids (all)'),
    limit: z.int().min(1).max(50).nullable().describe('At most this many (20)'),
  }),
  outputSchema: z.object({
    notes: z.array(noteSchema),
    total: z.int().describe('How many fit, also beyond the limit'),
  }),
  examples: [
    { label: 'The newest notes', input: { tag: null, contains: null, ids: null, limit: 10 } },
    { label: 'By tag', input: { tag: 'workshop', contains: null, ids: null, limit: null } },
    { label: 'By text', input: { tag: null, contains: 'drill', ids: null, limit: null } },
  ],
  sections: [{ key: 'notes', label: 'Notes', type: 'table' }],
  view: {
    sections: [
      {
        path: 'notes',
        columns: [
          { key: 'text' },
          { key: 'tags' },
          { key: 'createdAt', label: 'Kept', format: 'datetime' },
          { key: 'id', format: 'code' },
        ],
      },
      { path: 'total', kind: 'summary', title: 'Notes that fit' },
    ],
  },

  async execute({ tag, contains, ids, limit }, { tenant }) {
    const wantedTag = tag?.trim().toLowerCase()
    const wantedText = contains?.toLowerCase() ?? ''
    const found = (await readNotes(notesPath()))
      .filter((note) => note.tenant === tenant)
      .filter((note) => ids === null || ids.includes(note.id))
      .filter((note) => wantedTag === undefined || note.tags.includes(wantedTag))
      .filter((note) => note.text.toLowerCase().includes(wantedText))
      .toReversed()
    return { notes: found.slice(0, limit ?? ids?.length ?? 20).map(toAnswer), total: found.length }
  },
})
