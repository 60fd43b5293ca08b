import { summarizeBriefly } from '../../approvals/summarize-briefly.ts'
import type { Tone } from '../../../ui/tag.tsx'
import type { ToolPart, ToolState } from '../turn/message.ts'

interface StateWords {
  words: string
  tone: Tone
  isBusy: boolean
}

const looks: Readonly<Record<ToolState, StateWords>> = {
  'input-streaming': { words: 'Writing input', tone: 'iris', isBusy: true },
  'input-available': { words: 'Running', tone: 'iris', isBusy: true },
  'approval-requested': { words: 'Needs approval', tone: 'ask', isBusy: false },
  'approval-responded': { words: 'Approved', tone: 'iris', isBusy: true },
  'output-available': { words: 'Done', tone: 'allow', isBusy: false },
  'output-error': { words: 'Failed', tone: 'deny', isBusy: false },
  'output-denied': { words: 'Rejected', tone: 'deny', isBusy: false },
}

/** The state of a call as a label. */
export function describeState(
  { state, preliminary, approval }: ToolPart,
  isLive: boolean,
): StateWords {
  const look = looks[state]
  if (state === 'output-available' && preliminary === true) return looks['input-available']
  if (state === 'approval-responded' && approval?.approved === false) return looks['output-denied']
  // Not followed: it waits for something on the server, or was abandoned.
  return look.isBusy && !isLive ? { words: 'Not finished', tone: 'plain', isBusy: false } : look
}

/** A call in one line, for the closed card. */
export function sumUp(part: ToolPart): string {
  const { state, output, errorText, approval, input, inputText } = part
  if (state === 'output-available') return summarizeBriefly(output ?? null)
  if (state === 'output-error') return firstLine(errorText ?? '')
  if (state === 'output-denied') return firstLine(approval?.reason ?? '')
  if (state === 'input-streaming') return (inputText ?? '').slice(-120)
  return input === undefined ? '' : summarizeBriefly(input)
}

function firstLine(text: string): string {
  return (text.split('\n', 1)[0] ?? '').slice(0, 200)
}
