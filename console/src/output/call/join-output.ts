import type { JsonValue } from '../../api/json.ts'

/** The progress that a tool reports. */
export interface CallProgress {
  done?: number
  total?: number
  message?: string
  /** Running text: every piece is a further one. */
  text?: string
}

/** The output of a running call so far. */
export interface CallOutput {
  partial?: JsonValue
  progress?: CallProgress
}

/** Beyond this only the end of running text is kept: it is read as it comes, like a terminal. */
const mostText = 100_000

/** Joins earlier and new output: the newest of each kind, and text appended. */
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
