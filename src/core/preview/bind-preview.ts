import { ToolError } from '../kernel/errors.ts'
import { canonicalJson } from '../kernel/json/canonical-json.ts'
import { toPointer } from '../kernel/json/json-pointer.ts'
import type { JsonValue } from '../kernel/json.ts'
import type { BoundPreview, PreviewChange, ToolPreview } from '../kernel/trial/tool-preview.ts'
import { sha256 } from '../tool-version.ts'
import { previewSchema } from './preview-schema.ts'

/** Limits of a stored preview: enough to decide on, and small in a page of approvals. */
export const previewBounds = {
  maxChanges: 100,
  maxTextChars: 500,
  maxValueChars: 2000,
  maxDiffChars: 12_000,
  maxWarnings: 20,
  maxChars: 40_000,
} as const

/**
 * Checks what a tool returned as its preview. Throws `output_invalid`. The digest covers all changes,
 * also those that are cut off for display.
 */
export function bindPreview(value: unknown): BoundPreview {
  const parsed = previewSchema.safeParse(value)
  if (!parsed.success) throw notPreview(parsed.error.issues)
  return { ...cutPreview(parsed.data), digest: digestChanges(parsed.data) }
}

/** The same for the same changes, in whatever order they come. */
export function digestChanges({ changes, count }: ToolPreview): string {
  const texts = changes.map((change) => canonicalJson(change)).sort()
  return sha256(`${count ?? changes.length}\n${texts.join('\n')}`)
}

function cutPreview({ summary, changes, count, warnings = [] }: ToolPreview): ToolPreview {
  const kept: PreviewChange[] = []
  let left: number = previewBounds.maxChars
  for (const change of changes.slice(0, previewBounds.maxChanges)) {
    const short = cutChange(change)
    left -= JSON.stringify(short).length
    if (left < 0) break
    kept.push(short)
  }
  const all = count ?? changes.length
  return {
    summary: cutText(summary, previewBounds.maxTextChars),
    changes: kept,
    ...(all > kept.length && { count: all }),
    ...(warnings.length > 0 && {
      warnings: warnings
        .slice(0, previewBounds.maxWarnings)
        .map((text) => cutText(text, previewBounds.maxTextChars)),
    }),
  }
}

function cutChange({ target, before, after, diff }: PreviewChange): PreviewChange {
  return {
    target: cutText(target, previewBounds.maxTextChars),
    ...(before !== undefined && { before: cutValue(before) }),
    ...(after !== undefined && { after: cutValue(after) }),
    ...(diff !== undefined && { diff: cutText(diff, previewBounds.maxDiffChars) }),
  }
}

/** A long value is shown as the beginning of its text. */
function cutValue(value: JsonValue): JsonValue {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length <= previewBounds.maxValueChars
    ? value
    : cutText(text, previewBounds.maxValueChars)
}

/** Never splits a surrogate pair. */
function cutText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  return text.slice(0, maxChars - 1).replace(/[\uD800-\uDBFF]$/, '') + '…'
}

function notPreview(found: readonly { path: PropertyKey[]; message: string }[]): ToolError {
  const issues = found.slice(0, 10).map(({ path, message }) => ({ path: toPointer(path), message }))
  return new ToolError('output_invalid', 'The return value of preview is not a preview', {
    issues,
    fix: 'Return { summary, changes: [{ target, before?, after?, diff? }], count?, warnings? }.',
  })
}
