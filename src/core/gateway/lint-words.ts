import type { LintFinding } from './tool-pin.ts'
import type { JsonValue } from '../kernel/json.ts'
import { isRecord } from '../kernel/json/json-type.ts'

/**
 * Characters that a model reads and a person does not see, as ranges of code points: control
 * characters, zero-width ones, marks that turn the direction of text, the tags block, variation
 * selectors beyond those of pictures, fillers.
 */
const hiddenRanges: readonly (readonly [from: number, to: number])[] = [
  [0x00, 0x08],
  [0x0b, 0x0c],
  [0x0e, 0x1f],
  [0x7f, 0x9f],
  [0x061c, 0x061c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0e],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
]
const toEscape = (code: number) => `\\u{${code.toString(16)}}`
const hidden = new RegExp(
  `[${hiddenRanges.map(([from, to]) => `${toEscape(from)}-${toEscape(to)}`).join('')}]`,
  'u',
)

/** Scripts whose letters are joined or kept apart by an invisible character, as they are spelled. */
const joining = [
  'Arabic',
  'Syriac',
  'Mongolian',
  'Devanagari',
  'Bengali',
  'Gurmukhi',
  'Gujarati',
  'Oriya',
  'Tamil',
  'Telugu',
  'Kannada',
  'Malayalam',
  'Sinhala',
  'Khmer',
  'Myanmar',
]
const joined = `[${joining.map((script) => `\\p{Script=${script}}`).join('')}\\p{M}]`
const picture = String.raw`\p{Extended_Pictographic}`

/** Invisible and meant so: one joiner between letters, those within a picture, the flag of a region. */
const spelling = new RegExp(
  [
    `(?<=${joined})[\\u200c\\u200d](?=${joined})`,
    `(?<=${picture}[\\ufe0f\\u{1f3fb}-\\u{1f3ff}]?)\\u200d(?=${picture})`,
    String.raw`(?<=\u{1f3f4})[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{2,6}\u{e007f}`,
  ].join('|'),
  'gu',
)

/** Words that speak to the model instead of describing the tool. */
const instructions: readonly [pattern: RegExp, what: string][] = [
  [
    /\b(ignore|disregard|forget)\b.{0,40}\b(previous|prior|above|other|all)\b/is,
    'instructs the model to ignore something',
  ],
  [
    /<\s*\/?\s*(important|system|instructions?|secret|hidden|admin)\b[^>]*>/i,
    'has a tag that looks like an instruction',
  ],
  [
    /\b(do not|don't|never)\b.{0,40}\b(tell|mention|inform|reveal|show)\b.{0,40}\b(user|human|anyone|them)\b/is,
    'instructs the model to hide something from people',
  ],
  [
    /\b(before|after|instead of|whenever)\b.{0,60}\b(using|calling|call|use)\b.{0,40}\b(any|every|other|another|all)\b.{0,20}\btools?\b/is,
    'speaks about the use of other tools',
  ],
  [
    /(~\/|\/home\/|\/root\/|%userprofile%)[^\s]{0,40}(\.ssh|id_rsa|\.aws|\.env|mcp\.json|credentials)/i,
    'names files with credentials',
  ],
  [
    /\b(system prompt|your instructions|conversation history|chat history)\b/i,
    'asks about the conversation',
  ],
]

const maxFindings = 20

/** Suspicious words of a tool, anywhere in it. */
export function lintWords(definition: Record<string, JsonValue>): LintFinding[] {
  const findings: LintFinding[] = []
  walk(definition, '', findings)
  return findings
}

function walk(value: JsonValue, path: string, findings: LintFinding[]): void {
  if (findings.length >= maxFindings) return
  if (typeof value === 'string') return lintText(value, path, findings)
  if (Array.isArray(value)) {
    return value.forEach((item, index) => walk(item, `${path}/${index}`, findings))
  }
  if (!isRecord(value)) return
  for (const [key, item] of Object.entries(value)) {
    lintText(key, path, findings)
    walk(item, `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, findings)
  }
}

/** Most texts are plain ASCII, which hides nothing: the search for joiners costs far more than this. */
const plain = /^[\t\n\r -~]*$/

function lintText(text: string, path: string, findings: LintFinding[]): void {
  const odd = plain.test(text) ? undefined : hidden.exec(text.replaceAll(spelling, ''))?.[0]
  if (odd !== undefined) {
    const code = (odd.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
    findings.push({ kind: 'hidden', path, message: `has the invisible character U+${code}` })
  }
  // Words are looked at as a model reads them, up to a length that no honest sentence needs.
  const words = text.slice(0, 20_000)
  for (const [pattern, message] of instructions) {
    if (pattern.test(words)) findings.push({ kind: 'instruction', path, message })
  }
}
