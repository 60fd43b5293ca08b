import { RE2JS } from 're2js'
import { ToolError } from '../kernel/errors.ts'

/** The values of the variables; undefined if the address does not match. */
export type UriMatcher = (uri: string) => Record<string, string> | undefined

const expression = /\{(\+?)([A-Za-z_]\w{0,63})\}/g
const maxGaps = 20

/**
 * Matches the addresses of a template: `{name}` is one part of a path, `{+name}` several. Only
 * these two forms of RFC 6570 can be parsed back unambiguously; the others are refused.
 */
export function compileTemplate(template: string): UriMatcher {
  const names: string[] = []
  let pattern = ''
  let last = 0
  for (const found of template.matchAll(expression)) {
    pattern += RE2JS.quote(template.slice(last, found.index))
    pattern += found[1] === '+' ? '(.+?)' : '([^/?#]+?)'
    names.push(found[2] ?? '')
    last = found.index + found[0].length
  }
  const rest = template.slice(last)
  if (names.length > maxGaps || /[{}]/.test(template.replaceAll(expression, '')))
    throw odd(template)
  // In linear time for every address, including hostile ones.
  const whole = RE2JS.compile(pattern + RE2JS.quote(rest), RE2JS.DOTALL)
  return function match(uri) {
    if (uri.length > maxUriChars) return undefined
    const found = whole.matcher(uri)
    if (!found.matches()) return undefined
    const entries = names.map(
      (name, index) => [name, decode(found.group(index + 1) ?? '')] as const,
    )
    return entries.some(([, value]) => value === undefined)
      ? undefined
      : (Object.fromEntries(entries) as Record<string, string>)
  }
}

const maxUriChars = 4_000

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

function odd(template: string): ToolError {
  return new ToolError(
    'invalid_tool',
    `The template ${JSON.stringify(template)} can't be read back`,
    {
      fix: 'Use {name} for one part of a path, or {+name} for several; at most 20 of them.',
    },
  )
}
