import type { ToolPreview } from '../../../core/kernel/trial/tool-preview.ts'
import { toChange } from './file-change.ts'

interface PlannedChange {
  path: string
  /** Undefined for a new file, null for one that is not text. */
  before: string | null | undefined
  after: string
  warnings?: string[]
}

/** The preview of a change of one text file. */
export function previewChange({ path, before, after, warnings = [] }: PlannedChange): ToolPreview {
  const bytes = new TextEncoder().encode(after).length
  const { isNew, added, removed, diff } = toChange({ path, bytes, before, after })
  const change =
    before === null
      ? { target: path, before: 'not a text, or too long to show', after: `${bytes} bytes` }
      : { target: path, diff }
  return {
    summary: isNew
      ? `Creates ${path} with ${bytes} bytes.`
      : `Changes ${path}: ${added} lines added, ${removed} removed.`,
    changes: isNew || before === null || diff !== '' ? [change] : [],
    ...(warnings.length > 0 && { warnings }),
  }
}
