import { contentLines, isContentOutput } from '../../../core/kernel/content.ts'
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
  /** The provider of the model runs it, not the crib. */
  providerExecuted?: boolean
  /** Why the answer ended, in the last chunk. */
  finishReason?: string
  messageMetadata?: { status?: string; turnId?: string; conversationId?: string }
}

const maxInput = 200

/** Reasons for an end that the text does not show. */
const endings: Readonly<Record<string, string>> = {
  length: 'The answer was cut off by the length limit.',
  'content-filter': 'The provider withheld the rest of the answer.',
}

/** Writes a turn to the terminal as it arrives: text to stdout, tool calls to stderr. */
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
  const shows: Readonly<Record<string, (chunk: ShownChunk) => void>> = {
    'text-delta'({ delta = '' }) {
      isInText = true
      screen.write(toSafeText(delta))
    },
    'tool-input-available'({ toolName = '', input, providerExecuted }) {
      const by = providerExecuted === true ? ' (run by the provider)' : ''
      note('→', `${toolName} ${shorten(input)}${by}`)
    },
    'tool-output-available'({ preliminary, output }) {
      if (preliminary !== true) note('✓', shorten(output))
    },
    'tool-input-error': ({ errorText = 'it failed' }) => note('✗', errorText),
    'tool-output-error': ({ errorText = 'it failed' }) => note('✗', errorText),
    'tool-output-denied': () => note('✗', 'it was rejected'),
    error({ errorText = 'it failed' }) {
      endText()
      screen.err(screen.errStyle('red', toSafeLine(errorText)))
    },
    finish({ finishReason = '' }) {
      endText()
      const why = endings[finishReason]
      if (why !== undefined) note('…', why)
    },
    abort: endText,
    // The text of the step so far was lost with its node.
    'reset-step': () => note('…', 'The answer begins again.'),
  }
  return (chunk) => shows[chunk.type]?.(chunk)
}

function shorten(given: unknown): string {
  const value = isContentOutput(given) ? contentLines(given).join(' ') : given
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return text.length <= maxInput ? text : `${text.slice(0, maxInput)}…`
}
