import { isUnseenStyle } from './unseen-style.ts'

/** Classes and ids that the page's own style sheets hide. */
export interface HiddenNames {
  readonly classes: ReadonlySet<string>
  readonly ids: ReadonlySet<string>
}

/** A single class or id, with or without an element: `.note`, `p.note`, `#note`. */
const simple = /^[a-z0-9*]*([.#])([\w-]+)$/i
/** A rule that shows its element: the page does so for what it had hidden. */
const shown = /(?:display\s*:\s*(?!none)|visibility\s*:\s*visible|opacity\s*:\s*(?:1|0?\.\d))/i
const maxRules = 5000

/**
 * Names with a rule of their own that hides them, outside of `@media` and its like. A name that
 * another rule shows, in whatever state, is left out: tabs and menus work like this, and hold what
 * people came for.
 */
export function findHiddenNames(css: string): HiddenNames {
  const classes = new Set<string>()
  const ids = new Set<string>()
  const revealed: string[] = []
  for (const { selector, body } of topRules(withoutComments(css))) {
    if (isUnseenStyle(body)) addNames(selector, { classes, ids })
    else if (shown.test(body)) revealed.push(selector)
  }
  for (const [, kind = '', name = ''] of revealed.join(' ').matchAll(/([.#])([\w-]+)/g)) {
    if (kind === '.') classes.delete(name)
    else ids.delete(name)
  }
  return { classes, ids }
}

function addNames(selector: string, to: { classes: Set<string>; ids: Set<string> }): void {
  for (const one of selector.split(',')) {
    const [, kind, name = ''] = simple.exec(one.trim()) ?? []
    if (kind === '.') to.classes.add(name)
    if (kind === '#') to.ids.add(name)
  }
}

/** By hand: a pattern would read on to the end for each comment that is not closed. */
function withoutComments(css: string): string {
  const parts: string[] = []
  let start = 0
  for (;;) {
    const open = css.indexOf('/*', start)
    if (open < 0) return [...parts, css.slice(start)].join('')
    parts.push(css.slice(start, open))
    const close = css.indexOf('*/', open + 2)
    if (close < 0) return parts.join('')
    start = close + 2
  }
}

function* topRules(css: string): Generator<{ selector: string; body: string }> {
  let start = 0
  for (let count = 0; count < maxRules; count += 1) {
    const open = css.indexOf('{', start)
    if (open < 0) return
    const selector = css.slice(start, open)
    const isAtRule = selector.trimStart().startsWith('@')
    const close = isAtRule ? endOfBlock(css, open) : css.indexOf('}', open)
    if (close < 0) return
    if (!isAtRule) yield { selector: selector.slice(-2000), body: css.slice(open + 1, close) }
    start = close + 1
  }
}

/** The brace that closes the one at `open`, others inside it included. */
function endOfBlock(css: string, open: number): number {
  let depth = 0
  for (let at = open; at < css.length; at += 1) {
    const code = css.codePointAt(at)
    if (code === 0x7b) depth += 1
    if (code === 0x7d && (depth -= 1) === 0) return at
  }
  return -1
}
