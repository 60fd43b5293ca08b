import { isNode, LineCounter, parseDocument } from 'yaml'
import { fromPointer } from '../../../core/kernel/json/json-pointer.ts'
import type { JsonValue } from '../../../core/kernel/json.ts'

/** A place in a text, from 1. */
export interface TextPlace {
  line: number
  column: number
}

/** The value of a text, or the reason why it has none, and where its parts are. */
export interface ParsedText {
  value?: JsonValue
  problem?: { message: string; at?: TextPlace }
  /** The place of the value at this JSON pointer, or of what should contain it. */
  placeOf(pointer: string): TextPlace | undefined
}

/** Longer than any document that a server takes, because YAML may be wordy. */
export const maxToolFileBytes = 1_048_576

/** A small text must not become a large document. */
const maxAliasCount = 50

/** Reads YAML or JSON. Never throws. */
export function parseToolText(text: string): ParsedText {
  const lines = new LineCounter()
  const toPlace = (offset: number): TextPlace => {
    const { line, col } = lines.linePos(offset)
    return { line, column: col }
  }
  try {
    const document = parseDocument(text, { lineCounter: lines, logLevel: 'silent' })
    const placeOf = (pointer: string) => {
      const keys = fromPointer(pointer)
      for (let length = keys.length; length >= 0; length -= 1) {
        const node: unknown = document.getIn(keys.slice(0, length), true)
        if (isNode(node) && node.range) return toPlace(node.range[0])
      }
      return undefined
    }
    const [fault] = document.errors
    if (fault !== undefined) {
      const [message = ''] = fault.message.split('\n', 1)
      const problem = { message: message.replace(/ at line \d+, column \d+:?$/, '') }
      return { problem: { ...problem, at: toPlace(fault.pos[0]) }, placeOf }
    }
    return { value: document.toJS({ maxAliasCount }) as JsonValue, placeOf }
  } catch (error) {
    // Aliases that multiply, or nesting that is too deep for the parser.
    const [message = ''] = (error as Error).message.split('\n', 1)
    return { problem: { message }, placeOf: () => undefined }
  }
}
