import { stringify } from 'yaml'
import type { JsonValue } from '../../../core/kernel/json.ts'

/** A document as YAML that reads back as the same value. */
export function writeDocument(document: JsonValue): string {
  // Folded lines would be hard to compare in git, and anchors hard to read.
  return stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 })
}
