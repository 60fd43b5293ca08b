import { ToolError } from '../errors.ts'

/** What stands in the gaps; undefined where the address does not fit. */
export type UriMatcher = (uri: string) => Record<string, string> | undefined

const expression = /\{(\+?)([A-Za-z_]\w{0,63})\}/g
const maxGaps = 20

/**
 * The addresses of a template: `{name}` stands for one part of a path, `{+name}` for several. Of
 * RFC 6570 these two forms are enough to be read back; the others are refused.
 */
export function compileTemplate(template: string): UriMatcher {
  const names: string[] = []
  let pattern = ''
  let last = 0
  for (const found of template.matchAll(expression)) {
    pattern += escape(template.slice(last, found.index))
    // A gap never runs into the next one unread: each takes as little as it can, within its kind.
    pattern += found[1] === '+' ? '(.{1,2000}?)' : '([^/?#]{1,500}?)'
    names.push(found[2] ?? '')
    last = found.index + found[0].length
  }
  const rest = template.slice(last)
  if (names.length > maxGaps || /[{}]/.test(template.replaceAll(expression, '')))
    throw odd(template)
  const whole = new RegExp(`^${pattern}${escape(rest)}$`, 's')
  return function match(uri) {
    if (uri.length > maxUriChars) return undefined
    const found = whole.exec(uri)
    if (found === null) return undefined
    const entries = names.map((name, index) => [name, decode(found[index + 1] ?? '')] as const)
    return entries.some(([, value]) => value === undefined)
      ? undefined
      : (Object.fromEntries(entries) as Record<string, string>)
  }
}

const maxUriChars = 4_000

function escape(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

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
