import { randomUUID } from 'node:crypto'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { ToolError, z } from 'toolcrib'

const storedNote = z.object({
  id: z.string(),
  tenant: z.string(),
  text: z.string(),
  tags: z.array(z.string()),
  createdAt: z.string(),
})
const notesFile = z.object({ notes: z.array(storedNote) })

/** One note. Oldest first in the file. */
export type Note = z.infer<typeof storedNote>

/** Where the notes are: `CRIB_NOTES_FILE`, or below the current folder. Asked at every call, so tests can move it. */
export function notesPath(): string {
  return path.resolve(process.env['CRIB_NOTES_FILE'] || path.join('.toolcrib', 'notes.json'))
}

/** All notes as they are now; none when there is no file yet. */
export async function readNotes(file: string): Promise<Note[]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return undefined
    throw error
  })
  return text === undefined ? [] : parseNotes(text, file)
}

/**
 * Replaces the notes by what `change` makes of them, one change after the other, and answers with
 * what it says. When `change` throws, or hands back the same list, the file stays as it is.
 */
export function changeNotes<T>(
  file: string,
  change: (notes: Note[]) => { notes: Note[]; answer: T },
): Promise<T> {
  return inTurn(file, async () => {
    const before = await readNotes(file)
    const { notes, answer } = change(before)
    if (notes !== before) await writeWhole(file, JSON.stringify({ notes }, undefined, 2))
    return answer
  })
}

/** Held by the process, not by this module: a hot reload loads the module again while a change is under way. */
const turnsKey = Symbol.for('toolcrib.example.notes-turns')
const holder = globalThis as { [turnsKey]?: Map<string, Promise<unknown>> }

/** Runs `work` after everything that was asked for this file before, whether that went well or not. */
function inTurn<T>(file: string, work: () => Promise<T>): Promise<T> {
  const turns = (holder[turnsKey] ??= new Map())
  const result = (turns.get(file) ?? Promise.resolve()).then(work, work)
  turns.set(file, result)
  const forget = () => {
    if (turns.get(file) === result) turns.delete(file)
  }
  result.then(forget, forget)
  return result
}

/** Written beside and moved into place, so that a crash leaves the old file or the new one, never half of one. */
async function writeWhole(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true })
  const draft = `${file}.${randomUUID()}.tmp`
  try {
    const handle = await open(draft, 'wx', 0o600)
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

/** A damaged file is left alone: writing over it would lose what can still be saved by hand. */
function parseNotes(text: string, file: string): Note[] {
  try {
    return notesFile.parse(JSON.parse(text)).notes
  } catch (error) {
    throw new ToolError(
      'tool_failed',
      `The notes file ${path.basename(file)} can't be read as notes.`,
      {
        cause: error,
        fix: 'Mend the file or move it away, then call again.',
      },
    )
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
