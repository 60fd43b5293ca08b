import { toSafeText } from '../values/safe-text.ts'
import { applyStyle, plainStyle } from './ansi-style.ts'
import type { AnsiStyle } from './ansi-style.ts'

/** Text in one style. */
export interface Run extends AnsiStyle {
  text: string
}

export type AnsiLine = Run[]

const escape = '\u001B'
const bell = '\u0007'

/** Styles and everything else of the form that begins with `ESC [`. */
const control = `${escape}\\[[0-9:;<=>?]{0,64}[ -/]{0,4}[@-~]`

/**
 * The parts of a text: line ends, terminal sequences, and plain text. A sequence is a control, a
 * string for the terminal itself (OSC, DCS, …), or a short escape. A string sequence that does not end
 * on its line is taken as text.
 */
const pieces = new RegExp(
  [
    `\\n|\\r+|[\\b]|${bell}`,
    control,
    `${escape}[\\]PX^_][^\\n${bell}${escape}]{0,4096}(?:${bell}|${escape}\\\\)`,
    `${escape}[()*+#%][\\w@]`,
    `${escape}[78=>cDEHMNOZ]`,
    escape,
    `[^\\n\\r\\b${bell}${escape}]+`,
  ].join('|'),
  'g',
)
const styling = new RegExp(`^${escape}\\[([0-9:;]*)m$`)

/** A line with more changes of style keeps the last one to its end: each is an element of the page. */
const mostRuns = 300

interface Screen {
  lines: AnsiLine[]
  line: AnsiLine
  style: AnsiStyle
  /** The style of the last run. */
  written?: AnsiStyle
  /** The next text starts the line again. */
  isAtStart: boolean
}

/**
 * Turns the terminal output of a program into lines of styled text. Only styles are obeyed (SGR). Moving the
 * cursor, clearing, titles and links are left out; everything else that hides is shown by its code
 * point. A carriage return starts its line again, as progress bars expect.
 */
export function parseAnsi(text: string): AnsiLine[] {
  const screen: Screen = { lines: [], line: [], style: plainStyle, isAtStart: false }
  for (const [piece] of text.matchAll(pieces)) obey(screen, piece)
  if (screen.line.length > 0) endLine(screen)
  return screen.lines
}

function obey(screen: Screen, piece: string): void {
  switch (piece.charAt(0)) {
    case '\n':
      endLine(screen)
      break
    case '\r':
      screen.isAtStart = true
      break
    case '\b':
      dropLast(screen.line)
      break
    case bell:
      break
    case escape:
      if (piece === escape) write(screen, piece)
      else screen.style = applyStyle(screen.style, styling.exec(piece)?.[1])
      break
    default:
      write(screen, piece)
  }
}

function write(screen: Screen, text: string): void {
  if (screen.isAtStart) screen.line = []
  screen.isAtStart = false
  const last = screen.line.at(-1)
  const isMore =
    last !== undefined && (screen.written === screen.style || screen.line.length >= mostRuns)
  if (isMore) last.text += text
  else screen.line.push({ ...screen.style, text })
  screen.written = screen.style
}

function endLine(screen: Screen): void {
  for (const run of screen.line) run.text = toSafeText(run.text)
  screen.lines.push(screen.line)
  screen.line = []
  screen.isAtStart = false
}

function dropLast(line: AnsiLine): void {
  const last = line.at(-1)
  if (last === undefined) return
  last.text = last.text.replace(/.$/su, '')
  if (last.text === '') line.pop()
}
