import { ToolError } from '../../../core/kernel/errors.ts'

/** Characters with a meaning for a shell: outside of quotes, and inside double ones. */
const activeOutside = /[|&;<>()$`\\\n*?[\]{}~#!]/
const activeInDouble = /[$`\\!]/

const piece = /[ \t]+|'(?<single>[^']*)'|"(?<double>[^"]*)"|(?<plain>[^ \t'"]+)/gy

/**
 * Splits a command line into a program and its arguments, without a shell: words between spaces,
 * quoted with ' or ". Throws `invalid_input` for anything that only a shell could do.
 */
export function splitCommand(line: string): [program: string, ...args: string[]] {
  const words: string[] = []
  let isInWord = false
  let read = 0
  for (const { 0: text, groups = {} } of line.matchAll(piece)) {
    read += text.length
    const more = toText(groups)
    if (more !== undefined) words.push(isInWord ? `${words.pop() ?? ''}${more}` : more)
    isInWord = more !== undefined
  }
  if (read < line.length) {
    throw new ToolError('invalid_input', `The command has no closing ${line[read] ?? 'quote'}`)
  }
  const [program, ...args] = words
  if (program === undefined || program === '') {
    throw new ToolError('invalid_input', 'The command names no program')
  }
  return [program, ...args]
}

type Groups = Partial<Record<string, string>>

/** The text that a piece adds to a word; undefined for the space between two. */
function toText({ single, double, plain }: Groups): string | undefined {
  if (double !== undefined) assertInactive(double, activeInDouble)
  if (plain !== undefined) assertInactive(plain, activeOutside)
  return single ?? double ?? plain
}

function assertInactive(text: string, active: RegExp): void {
  const [found] = active.exec(text) ?? []
  if (found === undefined) return
  const shown = found === '\n' ? 'a line break' : found
  throw new ToolError('invalid_input', `The command contains ${shown}, but no shell runs here`, {
    fix: "Give one program with its arguments, and put special characters into '…'.",
  })
}
