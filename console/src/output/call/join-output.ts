import type { JsonValue } from '../../api/json.ts'

/** How far a call is, as its tool says. */
export interface CallProgress {
  done?: number
  total?: number
  message?: string
  /** Running text: every piece is a further one. */
  text?: string
}

/** What a call has said while it runs. */
export interface CallOutput {
  partial?: JsonValue
  progress?: CallProgress
}

/** Beyond this only the end of running text is kept: it is read as it comes, like a terminal. */
const mostText = 100_000

/** What was said before and what is said now: the newest of each, and text after text. */
export function joinOutput(before: CallOutput, told: CallOutput): CallOutput {
  const joined: CallOutput = { ...before, ...told }
  if (told.progress === undefined) return joined
  const text = `${before.progress?.text ?? ''}${told.progress.text ?? ''}`
  return {
    ...joined,
    progress: {
      ...before.progress,
      ...told.progress,
      ...(text !== '' && { text: text.slice(-mostText) }),
    },
  }
}
