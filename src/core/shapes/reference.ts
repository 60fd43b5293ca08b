/**
 * A reference to a value of the place that reads it: `{{steps.find.output.lines[0].text}}`. Keys
 * with other characters are quoted: `{{input["e-mail address"]}}`.
 */
export interface Reference {
  /** Its first word, such as `input` or `steps`; each place has its own. */
  root: string
  keys: readonly string[]
  /** As written, without the braces. */
  path: string
}

/** A part of a text: literal text, a reference, or braces that hold something else. */
export type TemplatePart =
  | { kind: 'text'; text: string }
  | { kind: 'reference'; reference: Reference }
  /** Stays in the text as it is; checks report it. */
  | { kind: 'malformed'; text: string; at: number }

const key = String.raw`\.[^\s.[\]{}"]+|\[\d{1,9}\]|\["(?:[^"\\{}\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"\]`
const path = String.raw`[A-Za-z][A-Za-z0-9_]*(?:${key})*`
const wholePath = new RegExp(`^${path}$`, 'u')
const nextKey = new RegExp(key, 'gu')
// No part of it can hold braces, so every attempt ends at the next brace: a long text takes linear time.
const referenceHere = new RegExp(String.raw`\{\{\s*(${path})\s*\}\}`, 'uy')

/** A path without braces, as conditions name their field; undefined if it is malformed. */
export function parsePath(text: string): Reference | undefined {
  return wholePath.test(text) ? toReference(text) : undefined
}

/**
 * The parts of a text. `\{{` is a literal `{{`, and `\\{{` a backslash before a reference; other
 * backslashes mean nothing. Of three braces the first is text, so templates of JSON work.
 */
export function parseTemplate(text: string): readonly TemplatePart[] {
  const parts: TemplatePart[] = []
  let literal = ''
  let from = 0
  const add = (part: TemplatePart) => {
    if (literal !== '') parts.push({ kind: 'text', text: literal })
    literal = ''
    parts.push(part)
  }
  for (let at = text.indexOf('{{'); at >= 0; at = text.indexOf('{{', from)) {
    const slashes = countBackslashes(text, from, at)
    literal += text.slice(from, at - slashes) + '\\'.repeat(slashes >> 1)
    if (slashes % 2 === 1) {
      literal += '{{'
      from = at + 2
      continue
    }
    if (text[at + 2] === '{') {
      literal += '{'
      from = at + 1
      continue
    }
    referenceHere.lastIndex = at
    const found = referenceHere.exec(text)
    if (found) add({ kind: 'reference', reference: toReference(found[1] ?? '') })
    else add({ kind: 'malformed', text: '{{', at })
    from = found ? referenceHere.lastIndex : at + 2
  }
  literal += text.slice(from)
  if (literal !== '') parts.push({ kind: 'text', text: literal })
  return parts
}

/** The reference that a text consists of; undefined if there is more, or none. */
export function wholeReference(text: string): Reference | undefined {
  if (!text.startsWith('{{') || !text.endsWith('}}')) return undefined
  referenceHere.lastIndex = 0
  const found = referenceHere.exec(text)
  if (found === null || referenceHere.lastIndex !== text.length) return undefined
  return toReference(found[1] ?? '')
}

function countBackslashes(text: string, from: number, at: number): number {
  let count = 0
  while (at - count > from && text[at - count - 1] === '\\') count += 1
  return count
}

function toReference(path: string): Reference {
  const root = /^\w+/.exec(path)?.[0] ?? ''
  const keys = path.slice(root.length).match(nextKey) ?? []
  return { root, keys: keys.map(toKey), path }
}

function toKey(text: string): string {
  if (text.startsWith('.')) return text.slice(1)
  const inside = text.slice(1, -1)
  return inside.startsWith('"') ? (JSON.parse(inside) as string) : inside
}
