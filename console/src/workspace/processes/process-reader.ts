import { readOutput } from './process-queries.ts'

export interface ProcessPiece {
  stream: 'stdout' | 'stderr'
  text: string
  /** Bytes before it that are no longer kept. */
  dropped: number
}

interface Told {
  onPiece: (piece: ProcessPiece) => void
  onFailure: (error: unknown) => void
}

export interface ProcessReader {
  /** Reads on from where it stopped: to the present end, and again now and then if it is to follow. */
  read(isFollowing: boolean): void
  stop(): void
}

const lookMs = 1000

/** Reads both streams of a process, one request at a time. A failed one is repeated a while later. */
export function createProcessReader(
  { id, pid }: { id: string; pid: number },
  { onPiece, onFailure }: Told,
): ProcessReader {
  const places = { stdout: 0, stderr: 0 }
  let timer: ReturnType<typeof setTimeout> | undefined
  let current: AbortController | undefined
  async function pull(stream: 'stdout' | 'stderr', signal: AbortSignal): Promise<void> {
    for (let isMore = true; isMore;) {
      const { text, next, dropped } = await readOutput({ id, pid, stream, offset: places[stream] })
      if (signal.aborted) return
      isMore = next > places[stream]
      places[stream] = next
      if (text !== '' || dropped > 0) onPiece({ stream, text, dropped })
    }
  }
  async function look(isFollowing: boolean, signal: AbortSignal): Promise<void> {
    try {
      await pull('stdout', signal)
      await pull('stderr', signal)
    } catch (error) {
      if (!signal.aborted) onFailure(error)
    }
    if (isFollowing && !signal.aborted) timer = setTimeout(() => void look(true, signal), lookMs)
  }
  const stop = () => {
    clearTimeout(timer)
    current?.abort()
  }
  return {
    read(isFollowing) {
      stop()
      current = new AbortController()
      void look(isFollowing, current.signal)
    },
    stop,
  }
}
