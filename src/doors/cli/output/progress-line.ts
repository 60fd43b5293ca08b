import type { CallOutput } from '../../../core/kernel/call-request.ts'
import type { Progress } from '../../../core/kernel/call.ts'
import type { JsonValue } from '../../../core/kernel/tool.ts'
import { toSafeLine, toSafeText } from './safe-text.ts'
import type { Screen } from './screen.ts'
import { truncate } from './text-width.ts'

/** Progress of a running call on stderr, so that stdout holds only the result. */
export interface ProgressLine {
  show(output: CallOutput): void
  /** A line of its own above the progress. */
  print(line: string): void
  /** Removes the line before other output. */
  clear(): void
}

const barWidth = 24

/** Draws one line again and again on a terminal; elsewhere prints partial output only. */
export function createProgressLine(screen: Screen, columns: number): ProgressLine {
  const isQuiet = screen.isJson
  let isDrawn = false
  let isMidLine = false
  const clear = (): void => {
    if (isDrawn) screen.draw('\r\u001b[K')
    if (isMidLine) screen.draw('\n')
    isDrawn = false
    isMidLine = false
  }
  const draw = (progress: Progress): void => {
    if (!screen.isErrTty) return
    clear()
    screen.draw(truncate(toProgressText(progress), Math.max(columns - 1, 10)))
    isDrawn = true
  }
  const append = (text: string): void => {
    if (isDrawn) clear()
    screen.draw(screen.errStyle('dim', text))
    isMidLine = !text.endsWith('\n')
  }
  let last = ''
  // Each partial output is the whole so far: of a text that grows, only what is new is printed.
  const showPartial = (text: string): void => {
    if (last !== '' && text.startsWith(last)) append(text.slice(last.length))
    else {
      clear()
      append(text)
    }
    last = text
  }
  return {
    show(output) {
      if (isQuiet) return
      if ('partial' in output) {
        const text = toPartialText(output.partial)
        if (text === undefined) draw({ message: JSON.stringify(output.partial) })
        else showPartial(text)
        return
      }
      const { text, ...progress } = output.progress
      if (text !== undefined) append(toSafeText(text))
      if (progress.message !== undefined || progress.done !== undefined) draw(progress)
    },
    print(line) {
      if (isQuiet) return
      clear()
      screen.err(line)
    },
    clear,
  }
}

/** `[████████            ]  40 % reading pages` */
export function toProgressText({ done, total, message }: Progress): string {
  const words = message === undefined ? '' : toSafeLine(message)
  if (done === undefined) return `… ${words}`
  if (total === undefined || total <= 0) return `… ${done} ${words}`.trimEnd()
  const share = Math.min(1, Math.max(0, done / total))
  const filled = Math.round(share * barWidth)
  const bar = '█'.repeat(filled) + ' '.repeat(barWidth - filled)
  return `[${bar}] ${String(Math.round(share * 100)).padStart(3)} % ${words}`.trimEnd()
}

/**
 * The text in a partial output: itself, or the longest text of an object. Other values are shown
 * only briefly.
 */
function toPartialText(partial: JsonValue): string | undefined {
  if (typeof partial === 'string') return toSafeText(partial)
  if (typeof partial !== 'object' || partial === null) return undefined
  const texts = Object.values(partial).filter((value) => typeof value === 'string')
  const longest = texts.toSorted((a, b) => b.length - a.length)[0] ?? ''
  return longest.length >= shortestText ? toSafeText(longest) : undefined
}

/** Shorter texts of an object are labels, not content. */
const shortestText = 40
