import { isRecord } from './schema.ts'

/**
 * Removes regular expressions that could block the page: nested repetitions, very long ones, and invalid
 * ones. The server, whose matcher takes linear time, checks them.
 */
export function dropRiskyPatterns(root: unknown): void {
  const waiting: unknown[] = [root]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (Array.isArray(next)) waiting.push(...next.filter(isOpen))
    if (!isRecord(next)) continue
    if (typeof next['pattern'] === 'string' && !isHarmless(next['pattern'])) delete next['pattern']
    dropRiskyKeys(next['patternProperties'])
    for (const [keyword, value] of Object.entries(next)) {
      if (!instances.has(keyword) && isOpen(value)) waiting.push(value)
    }
  }
}

function dropRiskyKeys(byPattern: unknown): void {
  if (!isRecord(byPattern)) return
  for (const pattern of Object.keys(byPattern)) {
    if (!isHarmless(pattern)) delete byPattern[pattern]
  }
}

/** These hold values, not schemas. */
const instances = new Set(['default', 'const', 'enum', 'examples'])

const isOpen = (value: unknown) => typeof value === 'object' && value !== null

/** A group with a repetition (or a choice) inside that is itself repeated. */
const nestedRepetition = /\((?:[^()\\]|\\.)*[+*}|](?:[^()\\]|\\.)*\)(?:[+*]|\{\d*,)/

/** `(-[a-z]+)*`: the group begins with a character of its own, so it can match one way only. */
const separatedGroup = /\((?:\?:)?(?:\\?[-._:/, ])(?:[^()\\]|\\.)*\)\*/g

export function isHarmless(pattern: string): boolean {
  if (pattern.length > 1000) return false
  if (nestedRepetition.test(pattern.replaceAll(separatedGroup, ''))) return false
  try {
    return new RegExp(pattern, 'u') instanceof RegExp
  } catch {
    return false
  }
}
