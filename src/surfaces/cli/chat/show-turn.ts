import type { Screen } from '../output/screen.ts'
import { toSafeLine, toSafeText } from '../output/safe-text.ts'

/** One chunk of a UI message stream, as far as a terminal shows it. */
export interface ShownChunk {
  type: string
  delta?: string
  toolCallId?: string
  toolName?: string
  input?: unknown
  output?: unknown
  errorText?: string
  preliminary?: boolean
  messageMetadata?: { status?: string; turnId?: string; conversationId?: string }
}

const maxInput = 200

/** Writes a turn to the terminal as it comes: its text to stdout, what it does to stderr. */
export function createTurnScreen(screen: Screen): (chunk: ShownChunk) => void {
  let isInText = false
  const endText = () => {
    if (isInText) screen.write('\n')
    isInText = false
  }
  const note = (mark: string, text: string) => {
    endText()
    screen.err(screen.errStyle('dim', `${mark} ${toSafeLine(text)}`))
  }
  return (chunk) => {
    switch (chunk.type) {
      case 'text-delta':
        isInText = true
        return screen.write(toSafeText(chunk.delta ?? ''))
      case 'tool-input-available':
        return note('→', `${chunk.toolName ?? ''} ${shorten(chunk.input)}`)
      case 'tool-output-available':
        return chunk.preliminary === true ? undefined : note('✓', shorten(chunk.output))
      case 'tool-input-error':
      case 'tool-output-error':
        return note('✗', chunk.errorText ?? 'it failed')
      case 'tool-output-denied':
        return note('✗', 'somebody said no')
      case 'error':
        endText()
        return screen.err(screen.errStyle('red', toSafeLine(chunk.errorText ?? 'it failed')))
      case 'finish':
      case 'abort':
        return endText()
      default:
        return undefined
    }
  }
}

function shorten(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return text.length <= maxInput ? text : `${text.slice(0, maxInput)}…`
}
