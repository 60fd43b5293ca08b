import { useEffect, useRef, useState } from 'react'
import { createProcessReader } from './process-reader.ts'
import type { ProcessPiece, ProcessReader } from './process-reader.ts'

/** More is not kept in the tab: the end of it is what counts. */
const mostText = 500_000

interface Output {
  stdout: string
  stderr: string
  dropped: number
  error?: unknown
}

const nothing: Output = { stdout: '', stderr: '', dropped: 0 }

/** The output of a process so far, and new output while it is followed. For one process: keyed by it. */
export function useProcessOutput(process: { id: string; pid: number }, isFollowing: boolean) {
  const { id, pid } = process
  const [output, setOutput] = useState(nothing)
  const reader = useRef<ProcessReader>(null)
  useEffect(() => {
    const made = createProcessReader(
      { id, pid },
      {
        onPiece: (piece) => setOutput((before) => join(before, piece)),
        onFailure: (error) => setOutput((before) => ({ ...before, error })),
      },
    )
    reader.current = made
    return () => made.stop()
  }, [id, pid])
  useEffect(() => {
    // Also once after the end, for the output since the last read.
    reader.current?.read(isFollowing)
  }, [isFollowing])
  return { ...output, retry: () => reader.current?.read(isFollowing) }
}

function join(before: Output, { stream, text, dropped }: ProcessPiece): Output {
  return {
    ...before,
    [stream]: (before[stream] + text).slice(-mostText),
    dropped: Math.max(before.dropped, dropped),
    error: undefined,
  }
}
