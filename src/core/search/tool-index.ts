import { editDistance } from '../kernel/text/edit-distance.ts'
import type { OfferedTool } from '../offer/tool-offer.ts'
import type { JsonValue } from '../kernel/json.ts'
import { cacheByIdentity } from '../kernel/identity-cache.ts'
import { isRecord } from '../kernel/json/json-type.ts'
import { toTerms } from './to-terms.ts'

/** A tool with its score; higher is better, and only comparable within one search. */
export interface FoundTool {
  tool: OfferedTool
  score: number
}

export interface ToolIndex {
  /** The best first; tools that match no word are left out. */
  search(query: string, limit: number): FoundTool[]
}

/** The weight of a word by the field it occurs in. */
const fieldWeights = {
  name: 5,
  title: 3,
  description: 2,
  schema: 1,
  examples: 1,
  inputs: 0.5,
  output: 0.5,
} as const

/** The index of a list of tools, built on the first search. */
export const indexOf = cacheByIdentity((tools: readonly OfferedTool[]) => createToolIndex(tools))

/**
 * Parameters of Okapi BM25: how fast repeating a word stops helping, and how much length matters.
 */
const saturation = 1.2
const lengthShare = 0.5

/** The weight of a term that only starts with the word, or is spelled almost like it. */
const prefixShare = 0.6
const typoShare = 0.4
const shortestPrefix = 3
const shortestTypo = 5
const wordsAtMost = 32

interface Posting {
  document: number
  /** Frequency, weighted by field. */
  weight: number
}

/** A full-text index of tools, built once per list. */
export function createToolIndex(tools: readonly OfferedTool[]): ToolIndex {
  const postings = new Map<string, Posting[]>()
  const lengths = tools.map((tool, document) => addTool(tool, document, postings))
  const average = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, tools.length)
  const vocabulary = [...postings.keys()].sort()

  function addScores(term: string, share: number, scores: Map<number, number>): void {
    const found = postings.get(term) ?? []
    const rarity = Math.log(1 + (tools.length - found.length + 0.5) / (found.length + 0.5))
    for (const { document, weight } of found) {
      const length = (lengths[document] ?? average) / Math.max(1, average)
      const flat = saturation * (1 - lengthShare + lengthShare * length)
      const score = share * rarity * ((weight * (saturation + 1)) / (weight + flat))
      // Only the best match of a word counts, not all of them.
      scores.set(document, Math.max(scores.get(document) ?? 0, score))
    }
  }
  function scoreWord(word: string): Map<number, number> {
    const scores = new Map<number, number>()
    if (postings.has(word)) addScores(word, 1, scores)
    for (const term of withPrefix(vocabulary, word)) addScores(term, prefixShare, scores)
    if (scores.size > 0) return scores
    for (const term of spelledLike(vocabulary, word)) addScores(term, typoShare, scores)
    return scores
  }
  return {
    search(query, limit) {
      const words = [...new Set(toTerms(query.slice(0, 2000)))].slice(0, wordsAtMost)
      const totals = new Map<number, { score: number; words: number }>()
      for (const word of words) {
        for (const [document, score] of scoreWord(word)) {
          const total = totals.get(document) ?? { score: 0, words: 0 }
          totals.set(document, { score: total.score + score, words: total.words + 1 })
        }
      }
      return rank(totals, { words: words.length, tools, limit })
    },
  }
}

/** Matching more of the words ranks above matching one of them often. */
function rank(
  totals: ReadonlyMap<number, { score: number; words: number }>,
  { words, tools, limit }: { words: number; tools: readonly OfferedTool[]; limit: number },
): FoundTool[] {
  const found = [...totals].flatMap(([document, total]) => {
    const tool = tools[document]
    return tool === undefined ? [] : [{ tool, score: total.score * (total.words / words) }]
  })
  const sorted = found.sort(
    (left, right) => right.score - left.score || (left.tool.name < right.tool.name ? -1 : 1),
  )
  return sorted.slice(0, limit)
}

/** Returns the tool's length in weighted words. */
function addTool(tool: OfferedTool, document: number, postings: Map<string, Posting[]>): number {
  const { weights, length } = weighTerms(tool)
  for (const [term, weight] of weights) {
    const known = postings.get(term)
    if (known === undefined) postings.set(term, [{ document, weight }])
    else known.push({ document, weight })
  }
  return length
}

/** By identity: if one of ten thousand tools has changed, only that one is read again. */
const weighTerms = cacheByIdentity((tool: OfferedTool) => {
  const weights = new Map<string, number>()
  let length = 0
  for (const [field, text] of Object.entries(toTexts(tool))) {
    const weight = fieldWeights[field as keyof typeof fieldWeights]
    for (const term of toTerms(text)) {
      weights.set(term, (weights.get(term) ?? 0) + weight)
      length += weight
    }
  }
  return { weights, length }
})

function toTexts(tool: OfferedTool): Record<keyof typeof fieldWeights, string> {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    schema: describeSchema(tool.inputSchema, 0).join(' '),
    examples: tool.examples.map(({ label }) => label).join(' '),
    inputs: tool.examples.map(({ input }) => wordsIn(input)).join(' '),
    output: describeSchema(tool.outputSchema, 0).join(' '),
  }
}

/** An example may contain a whole document: the start shows its topic. */
const exampleChars = 400

/** Keys and values alike, without JSON's punctuation. */
function wordsIn(input: JsonValue): string {
  return JSON.stringify(input).slice(0, exampleChars)
}

const deepestSchema = 6

/** Names, titles and descriptions of inputs or outputs, and their possible values. */
function describeSchema(schema: unknown, depth: number): string[] {
  if (depth > deepestSchema) return []
  if (Array.isArray(schema)) return schema.flatMap((one) => describeSchema(one, depth + 1))
  if (!isRecord(schema)) return []
  const { properties, title, description, enum: choices, items, anyOf, oneOf, allOf } = schema
  const own = [title, description].filter((text) => typeof text === 'string')
  const words = Array.isArray(choices) ? choices.filter((one) => typeof one === 'string') : []
  const named = isRecord(properties)
    ? Object.entries(properties).flatMap(([name, inner]) => [
        name,
        ...describeSchema(inner, depth + 1),
      ])
    : []
  const inner = [items, anyOf, oneOf, allOf].flatMap((part) => describeSchema(part, depth + 1))
  return [...own, ...words, ...named, ...inner]
}

function withPrefix(vocabulary: readonly string[], word: string): string[] {
  if (word.length < shortestPrefix) return []
  const found: string[] = []
  for (let at = lowerBound(vocabulary, word); at < vocabulary.length; at += 1) {
    const term = vocabulary[at] ?? ''
    if (!term.startsWith(word)) break
    if (term !== word) found.push(term)
  }
  return found
}

function lowerBound(sorted: readonly string[], word: string): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] ?? '') < word) low = middle + 1
    else high = middle
  }
  return low
}

/** One typo in a word, two in a long one; the first letter must be right. */
function spelledLike(vocabulary: readonly string[], word: string): string[] {
  if (word.length < shortestTypo) return []
  const most = word.length < 9 ? 1 : 2
  const [first = ''] = word
  const found: string[] = []
  for (let at = lowerBound(vocabulary, first); at < vocabulary.length; at += 1) {
    const term = vocabulary[at] ?? ''
    if (!term.startsWith(first)) break
    if (Math.abs(term.length - word.length) > most) continue
    if (editDistance(term, word) <= most) found.push(term)
  }
  return found
}
