import { ToolError } from '../kernel/errors.ts'

/** Limits of an operator on the commands of an agent. */
export interface ProgramRules {
  /** Lines for a shell are allowed. */
  shell: boolean
  /** With names: only these programs, and no shell. */
  programs: readonly string[]
}

/**
 * Returns the command to run under these rules, or throws `denied`. Without a shell, a line is split
 * into words and run as a program; a line that needs a shell is refused. A list of programs limits
 * which program is started, not what it does then: an interpreter on the list can start others.
 */
export function decidePrograms(
  command: string | readonly [program: string, ...args: string[]],
  { shell, programs }: ProgramRules,
): string | readonly [program: string, ...args: string[]] {
  if (shell && programs.length === 0) return command
  const words = typeof command === 'string' ? splitWords(command) : [...command]
  const [program, ...args] = words
  if (program === undefined || program === '') {
    throw new ToolError('invalid_input', 'The command is empty')
  }
  if (programs.length > 0 && !programs.includes(program)) {
    throw new ToolError('denied', `${JSON.stringify(program.slice(0, 100))} is not allowed here`, {
      fix: `Use one of ${programs.join(', ')}.`,
    })
  }
  return [program, ...args]
}

/** Characters that a shell acts on, outside of quotes. A program would get them as they are. */
const shellCharacters = /[|&;<>()$`\n\r*?[]|^[~#]/

/** Splits a line as a shell does: quotes and backslashes, nothing else. */
function splitWords(line: string): string[] {
  const words: string[] = []
  let word: string | undefined
  let rest = line
  while (rest !== '') {
    const [text, kind] = nextPart(rest)
    rest = rest.slice(text.length)
    if (kind === 'space') {
      if (word !== undefined) words.push(word)
      word = undefined
    } else {
      word = (word ?? '') + unquote(text, kind)
    }
  }
  return word === undefined ? words : [...words, word]
}

type PartKind = 'space' | 'single' | 'double' | 'escaped' | 'plain'

const parts: readonly [RegExp, PartKind][] = [
  [/^[ \t]+/, 'space'],
  [/^'[^']*'/, 'single'],
  [/^"(?:[^"\\$`]|\\[^\n])*"/, 'double'],
  [/^\\[^\n]/, 'escaped'],
  [/^[^ \t'"\\]+/, 'plain'],
]

function nextPart(rest: string): [text: string, kind: PartKind] {
  for (const [pattern, kind] of parts) {
    const text = pattern.exec(rest)?.[0]
    if (text === undefined) continue
    if (kind === 'plain' && shellCharacters.test(text)) break
    return [text, kind]
  }
  throw new ToolError('denied', 'The command needs a shell, which is not allowed here', {
    fix: 'Give one program with its arguments, without pipes, variables or patterns.',
  })
}

function unquote(text: string, kind: PartKind): string {
  if (kind === 'single') return text.slice(1, -1)
  if (kind === 'double') return text.slice(1, -1).replaceAll(/\\(["\\$`])/g, '$1')
  return kind === 'escaped' ? text.slice(1) : text
}
