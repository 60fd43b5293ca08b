import { randomUUID } from 'node:crypto'
import { defineTool, ToolError, z } from 'toolcrib'
import { noteSchema, toAnswer } from '../lib/note-schema.ts'
import { changeNotes, notesPath } from '../lib/notes-file.ts'

/** Per tenant: the file is written whole at every change, so it must stay small enough for that. */
const mostNotes = 1000

/** Adds one note to the notes file. */
export default defineTool({
  name: 'demo.add-note',
  title: 'Add a note',
  description:
    'Keep a short note for later, with tags to find it by. ' +
    'Use it when somebody asks to remember something. Call demo.list-notes first to see whether the note is there already.',
  icon: 'note',
  effect: 'write',
  inputSchema: z.object({
    text: z.string().min(1).max(4000).describe('What to keep'),
    tags: z
      .array(z.string().min(1).max(40))
      .max(10)
      .nullable()
      .describe('Words to find it by; case and doubles do not matter (none)'),
  }),
  outputSchema: z.object({
    note: noteSchema,
    total: z.int().describe('How many notes there are now'),
  }),
  examples: [
    { label: 'A note', input: { text: 'The crib opens at eight.', tags: null } },
    { label: 'With tags', input: { text: 'Order drill bits', tags: ['shopping', 'workshop'] } },
  ],
  sections: [{ key: 'note', label: 'Note', type: 'summary' }],
  view: {
    sections: [
      {
        path: 'note',
        columns: [
          { key: 'text' },
          { key: 'tags' },
          { key: 'createdAt', label: 'Kept', format: 'datetime' },
          { key: 'id', format: 'code' },
        ],
      },
      { path: 'total', kind: 'summary', title: 'Notes in all' },
    ],
  },

  execute({ text, tags }, { tenant }) {
    const note = {
      id: `note_${randomUUID()}`,
      tenant,
      text,
      tags: [...new Set((tags ?? []).map((tag) => tag.trim().toLowerCase()))],
      createdAt: new Date().toISOString(),
    }
    return changeNotes(notesPath(), (notes) => {
      const total = notes.filter((other) => other.tenant === tenant).length + 1
      if (total > mostNotes) {
        throw new ToolError('quota_exceeded', `There are ${mostNotes} notes already.`, {
          fix: 'Delete some with demo.delete-notes first.',
        })
      }
      return { notes: [...notes, note], answer: { note: toAnswer(note), total } }
    })
  },
})
