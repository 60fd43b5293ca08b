import { z } from 'zod'
import { unifiedDiff } from '../../../core/kernel/text/diff/unified-diff.ts'

/** The output of tools that change a text file. */
export const changeFields = z.object({
  path: z.string(),
  bytes: z.int().describe('Size of the file now'),
  isNew: z.boolean().describe('The file did not exist before'),
  added: z.int().describe('Lines added'),
  removed: z.int().describe('Lines removed'),
  diff: z.string().describe('The change as a unified diff'),
  truncated: z.boolean().describe('The diff is longer than shown'),
})

/** Longer diffs help neither people nor models. */
const maxDiffChars = 40_000

interface Change {
  path: string
  bytes: number
  /** Undefined for a new file, null for one that was not text. */
  before: string | null | undefined
  after: string
}

export function toChange({ path, bytes, before, after }: Change): z.infer<typeof changeFields> {
  const isNew = before === undefined
  if (before === null) {
    return { path, bytes, isNew, added: 0, removed: 0, diff: '', truncated: true }
  }
  const { text, added, removed } = unifiedDiff({ path, before, after })
  const diff = cutToLine(text, maxDiffChars)
  return { path, bytes, isNew, added, removed, diff, truncated: diff.length < text.length }
}

function cutToLine(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  return text.slice(0, text.lastIndexOf('\n', maxChars) + 1)
}
