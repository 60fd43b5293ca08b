import { defineTool, z } from 'toolcrib'
import { noteSchema, toAnswer } from '../lib/note-schema.ts'
import { changeNotes, notesPath, readNotes } from '../lib/notes-file.ts'

/** Deletes notes by id. An owner may call it at once; the example's agents have to ask (see the config's hooks). */
export default defineTool({
  name: 'demo.delete-notes',
  title: 'Delete notes',
  description:
    'Delete notes, by id. People can undo it for a day; the answer holds the deleted notes. ' +
    'Call demo.list-notes first for the ids, and with dryRun first when more than a few are meant.',
  icon: 'trash',
  effect: 'destructive',
  idempotent: true,
  approval: 'auto',
  // The answer holds what was deleted: fifty of the longest notes.
  maxOutputBytes: 262_144,
  inputSchema: z.object({
    ids: z
      // The console shows and picks these by the text of the note.
      .array(
        z
          .string()
          .min(1)
          .max(80)
          .meta({ 'x-entity-type': 'note', 'x-entity-tool': 'demo.list-notes' }),
      )
      .min(1)
      .max(50)
      .meta({ title: 'Notes' })
      .describe('Ids of the notes, from demo.list-notes'),
    dryRun: z
      .boolean()
      .nullable()
      .describe('Only say what would be deleted, and change nothing (false)'),
  }),
  outputSchema: z.object({
    deleted: z.array(noteSchema).describe('What was deleted, or would be on a dry run'),
    missing: z.array(z.string()).describe('Ids of which there is no note'),
    remaining: z.int().describe('How many notes are left afterwards'),
    dryRun: z.boolean(),
  }),
  examples: [
    {
      label: 'See what would go',
      input: { ids: ['note_6fa459ea-ee8a-4ca4-894e-db77e160355e'], dryRun: true },
    },
    {
      label: 'Delete one note',
      input: { ids: ['note_6fa459ea-ee8a-4ca4-894e-db77e160355e'], dryRun: null },
    },
  ],
  sections: [
    { key: 'deleted', label: 'Deleted', type: 'table' },
    { key: 'missing', label: 'Not found', type: 'json' },
  ],
  view: {
    sections: [
      {
        path: 'deleted',
        columns: [
          { key: 'text' },
          { key: 'tags' },
          { key: 'createdAt', label: 'Kept', format: 'datetime' },
          { key: 'id', format: 'code' },
        ],
      },
      { path: 'missing', kind: 'table', title: 'Not found' },
      { path: 'remaining', kind: 'summary', title: 'Notes left' },
      { path: 'dryRun', kind: 'summary', title: 'Only tried' },
    ],
  },

  tests: [
    {
      label: 'Unknown ids are reported',
      input: { ids: ['note_x'], dryRun: true },
      expect: {
        output: { deleted: [], missing: ['note_x'], remaining: '<integer>', dryRun: true },
      },
    },
    { label: 'An empty list is refused', input: { ids: [] }, expect: { error: 'invalid_input' } },
  ],

  // Shown in approvals: the call runs only if the same notes are still there to be deleted.
  async preview({ ids, dryRun }, { tenant }) {
    const wanted = new Set(ids)
    const notes = await readNotes(notesPath())
    const found = notes.filter((note) => note.tenant === tenant && wanted.has(note.id))
    const count = found.length === 1 ? '1 note' : `${found.length} notes`
    const missing = wanted.size - found.length
    return {
      summary: dryRun ? `Only says that it would delete ${count}.` : `Deletes ${count}.`,
      changes: dryRun ? [] : found.map(({ id, text }) => ({ target: id, before: text })),
      ...(missing > 0 && { warnings: [`${missing} of the ids belong to no note.`] }),
    }
  },
  undo(_input, { deleted, dryRun }, { tenant }) {
    const restored = dryRun ? [] : deleted.map((note) => ({ ...note, tenant }))
    return changeNotes(notesPath(), (notes) => {
      const kept = notes.filter((note) => !restored.some(({ id }) => id === note.id))
      const byTime = [...kept, ...restored].toSorted((left, right) =>
        left.createdAt < right.createdAt ? -1 : 1,
      )
      return { notes: byTime, answer: { restored: restored.length } }
    })
  },

  execute({ ids, dryRun }, { tenant }) {
    const wanted = new Set(ids)
    return changeNotes(notesPath(), (notes) => {
      const own = notes.filter((note) => note.tenant === tenant)
      // Another tenant's note counts as missing: its id alone must give nothing away.
      const deleted = own.filter((note) => wanted.has(note.id))
      const gone = new Set(deleted)
      const answer = {
        deleted: deleted.map(toAnswer),
        missing: [...wanted].filter((id) => !deleted.some((note) => note.id === id)),
        remaining: own.length - deleted.length,
        dryRun: dryRun ?? false,
      }
      const isUnchanged = answer.dryRun || deleted.length === 0
      return { notes: isUnchanged ? notes : notes.filter((note) => !gone.has(note)), answer }
    })
  },
})
