import { ToolError } from '../../../core/kernel/errors.ts'

/** Around the name of a shell variable in a word; no text that people write has them. */
export const variableStart = '\uE000'
export const variableEnd = '\uE001'

/** Ends a command: what comes after is another one, or where its output goes. */
const ending = /[;|&<>()]/

const ansi: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  e: '\x1B',
  f: '\f',
  v: '\v',
}

/** How many digits may follow, by letter. */
const hexDigits: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 }

/** The words of a pasted command line, as a shell would split them. Throws `invalid_input`. */
export function splitCommand(text: string): string[] {
  return new Splitter(toPosix(text)).words()
}

/** The Windows command prompt escapes with ^, PowerShell continues lines with a backtick. */
function toPosix(text: string): string {
  const isPrompt = /\^(?:"|\s*\r?\n)/.test(text)
  const plain = isPrompt ? text.replaceAll(/\^\r?\n/g, ' ').replaceAll(/\^(.)/g, '$1') : text
  return plain.replaceAll(/`\s*\r?\n/g, ' ').replaceAll('\r\n', '\n')
}

class Splitter {
  readonly #text: string
  readonly #words: string[] = []
  #at = 0
  #word: string | undefined

  constructor(text: string) {
    this.#text = text
  }

  words(): string[] {
    while (this.#at < this.#text.length && !this.#isEnd()) this.#step()
    this.#endWord()
    return this.#words
  }

  #isEnd(): boolean {
    const sign = this.#text[this.#at] ?? ''
    if (ending.test(sign)) return true
    // A line break ends a command too, once there is one.
    return sign === '\n' && (this.#words.length > 0 || this.#word !== undefined)
  }

  #step(): void {
    const sign = this.#text[this.#at] ?? ''
    if (/\s/.test(sign)) {
      this.#at += 1
      this.#endWord()
    } else if (sign === "'") this.#add(this.#until("'"))
    else if (this.#text.startsWith("$'", this.#at)) this.#ansi()
    else if (sign === '"') this.#double()
    else if (sign === '\\') this.#escape()
    else if (sign === '$') this.#add(this.#variable())
    else {
      this.#add(sign)
      this.#at += 1
    }
  }

  #add(text: string): void {
    this.#word = (this.#word ?? '') + text
  }

  #endWord(): void {
    if (this.#word !== undefined) this.#words.push(this.#word)
    this.#word = undefined
  }

  /** The text in quotes, without escapes. */
  #until(quote: string): string {
    const end = this.#text.indexOf(quote, this.#at + 1)
    if (end < 0) throw unclosed(quote)
    const inside = this.#text.slice(this.#at + 1, end)
    this.#at = end + 1
    return inside
  }

  #escape(): void {
    const next = this.#text[this.#at + 1] ?? ''
    if (next !== '\n') this.#add(next)
    this.#at += 2
  }

  #double(): void {
    this.#add('')
    for (this.#at += 1; ;) {
      const sign = this.#text[this.#at]
      if (sign === undefined) throw unclosed('"')
      if (sign === '"') break
      if (sign === '\\') {
        const next = this.#text[this.#at + 1] ?? ''
        if (next !== '\n') this.#add('"\\$`'.includes(next) ? next : `\\${next}`)
        this.#at += 2
      } else if (sign === '$') this.#add(this.#variable())
      else {
        this.#add(sign)
        this.#at += 1
      }
    }
    this.#at += 1
  }

  /** `$'…'`, as browsers copy texts with special characters. */
  #ansi(): void {
    this.#add('')
    for (this.#at += 2; ;) {
      const sign = this.#text[this.#at]
      if (sign === undefined) throw unclosed("$'")
      if (sign === "'") break
      if (sign === '\\') this.#add(this.#ansiEscape())
      else {
        this.#add(sign)
        this.#at += 1
      }
    }
    this.#at += 1
  }

  #ansiEscape(): string {
    const rest = this.#text.slice(this.#at, this.#at + 10)
    const found = /^\\(?:[xuU]([0-9a-fA-F]{1,8})|([0-7]{1,3}))/.exec(rest)
    if (found === null) {
      const next = rest[1] ?? ''
      this.#at += 2
      return ansi[next] ?? next
    }
    const [, hex, octal = ''] = found
    const digits = hex?.slice(0, hexDigits[rest[1] ?? ''])
    this.#at += digits === undefined ? octal.length + 1 : digits.length + 2
    const code = digits === undefined ? Number.parseInt(octal, 8) : Number.parseInt(digits, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : '\uFFFD'
  }

  /** `$NAME` and `${NAME}`; any other dollar is itself. */
  #variable(): string {
    const rest = this.#text.slice(this.#at, this.#at + 200)
    const found = /^\$(?:\{([A-Za-z_]\w{0,63})\}|([A-Za-z_]\w{0,63}))/.exec(rest)
    this.#at += found?.[0].length ?? 1
    const name = found?.[1] ?? found?.[2]
    return name === undefined ? '$' : `${variableStart}${name}${variableEnd}`
  }
}

function unclosed(quote: string): ToolError {
  return new ToolError('invalid_input', `The quote ${quote} is not closed`, {
    issues: [{ path: '/curl', message: `has a quote ${quote} that is not closed` }],
    fix: 'Paste the whole command.',
  })
}
