import type {
  ConversationStore,
  TurnLease,
} from '../../../core/conversations/conversation-store.ts'
import type { JsonValue } from '../../../core/kernel/json.ts'
import { applyChunk } from './apply-chunk.ts'
import { toJson, type Chunk, type Part } from '../ui-parts.ts'

/**
 * The stream of a turn that runs here: kept in memory for readers, and written to the store soon
 * after.
 */
export interface ChunkLog {
  /** Changes the message and streams the chunk. */
  write(chunk: Chunk): void
  /** For readers alone: the message here never had what it takes back. */
  tell(chunk: Chunk): void
  /** Everything written is in the store. False: the turn is somebody else's by now. */
  flush(): Promise<boolean>
  /** From that number on; undefined where it is only in the store. */
  read(from: number): readonly JsonValue[] | undefined
  count(): number
  /** Has those who read along look again. */
  wake(): void
  /** Called after every write. */
  watch(listener: () => void): () => void
}

/** How soon chunks are on disk, for other nodes and for readers that come back. */
const flushAfterMs = 100
/** Of one turn, in memory; readers that are further behind read from the store. */
const keepChunks = 20_000

export function createChunkLog(
  lease: TurnLease,
  from: { stored: number; parts: Part[]; store: Pick<ConversationStore, 'appendChunks'> },
): ChunkLog {
  const { store, parts } = from
  let first = from.stored
  let chunks: JsonValue[] = []
  let flushed = from.stored
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<boolean> = Promise.resolve(true)
  const listeners = new Set<() => void>()

  async function writeOut(before: boolean): Promise<boolean> {
    const added = chunks.slice(flushed - first)
    if (added.length === 0) return before
    const at = flushed
    flushed += added.length
    return (await store.appendChunks(lease, at, added)) && before
  }
  function flush(): Promise<boolean> {
    clearTimeout(timer)
    timer = undefined
    writing = writing.then(writeOut, () => false)
    return writing
  }
  function add(plain: JsonValue): void {
    chunks.push(plain)
    if (chunks.length > keepChunks * 2 && flushed - first > keepChunks) {
      chunks = chunks.slice(keepChunks)
      first += keepChunks
    }
    timer ??= setTimeout(() => void flush().catch(() => false), flushAfterMs)
    for (const listener of listeners) listener()
  }
  return {
    write(chunk) {
      const plain = toJson(chunk) as JsonValue & Chunk
      applyChunk(parts, plain)
      add(plain)
    },
    tell: (chunk) => add(toJson(chunk)),
    flush,
    read: (at) => (at < first ? undefined : chunks.slice(at - first)),
    wake() {
      for (const listener of listeners) listener()
    },
    count: () => first + chunks.length,
    watch(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
