import { pointerStep } from '../kernel/json/json-pointer.ts'
import { isRecord } from '../kernel/json/json-type.ts'
import { parseTemplate, type Reference, wholeReference } from './reference.ts'

/** A reference and its place. */
export interface FoundReference extends Reference {
  /** JSON pointer to the text that contains it. */
  pointer: string
  /** The text is nothing else, so the value keeps its type. */
  isWhole: boolean
}

/** Braces without a valid reference, and their place. */
export interface MalformedReference {
  pointer: string
  /** The beginning of what was written. */
  text: string
}

/** All references in a value, in order. */
export function referencesIn(value: unknown, pointer = ''): FoundReference[] {
  return textsIn(value, pointer).flatMap(({ text, at }): FoundReference[] => {
    const whole = wholeReference(text)
    if (whole !== undefined) return [{ ...whole, pointer: at, isWhole: true }]
    return parseTemplate(text).flatMap((part) =>
      part.kind === 'reference' ? [{ ...part.reference, pointer: at, isWhole: false }] : [],
    )
  })
}

/** Braces in a value that look like a reference but are not valid; the first of every text. */
export function malformedIn(value: unknown, pointer = ''): MalformedReference[] {
  return textsIn(value, pointer).flatMap(({ text, at }) => {
    const wrong = parseTemplate(text).find((part) => part.kind === 'malformed')
    return wrong === undefined ? [] : [{ pointer: at, text: text.slice(wrong.at, wrong.at + 60) }]
  })
}

/** Only texts that can hold one. */
function textsIn(value: unknown, pointer: string): { text: string; at: string }[] {
  const found: { text: string; at: string }[] = []
  const visit = (inner: unknown, at: string): void => {
    if (typeof inner === 'string') {
      if (inner.includes('{{')) found.push({ text: inner, at })
    } else if (Array.isArray(inner)) {
      inner.forEach((item, index) => visit(item, pointerStep(at, index)))
    } else if (isRecord(inner)) {
      for (const [key, member] of Object.entries(inner)) visit(member, pointerStep(at, key))
    }
  }
  visit(value, pointer)
  return found
}
