import type { Reply } from '../reply.ts'
import type { Asked } from '../route.ts'
import { ToolError } from '../../../core/kernel/errors.ts'

/** Between two looks whether the key is still good. */
const recheckMs = 2_000

interface ExportReply {
  /** Pieces of the file, each made when the socket has taken the one before. */
  pieces: AsyncIterable<string | Uint8Array>
  type: string
  filename: string
  /** Called once, however it ended. */
  onEnd?(): void
}

/**
 * A file of any size that is made while it is sent. It ends whole or not at all: a drain, a key that
 * was revoked, and anything that fails break the connection, so that nobody takes half for all.
 */
export function exportReply(
  asked: Asked<unknown, unknown>,
  { pieces, type, filename, onEnd }: ExportReply,
): Reply {
  const { door, caller } = asked
  const state = { isOver: false, isEnded: false }
  const countOut = door.streams.open(caller, () => (state.isOver = true))
  // Also seen between two pages of which nothing was to be sent.
  const onClose = () => {
    state.isOver = true
    countOut()
    if (!state.isEnded) onEnd?.()
    state.isEnded = true
  }
  const source = whileAllowed(pieces, asked, state)
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const next = await source.next()
          if (next.done !== true) return controller.enqueue(toBytes(next.value))
          controller.close()
        } catch (error) {
          controller.error(error)
        }
        onClose()
      },
      async cancel() {
        onClose()
        await source.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
  const headers = ['content-disposition', `attachment; filename="${filename}"`]
  return { status: 200, type, body, headers, onClose }
}

const encoder = new TextEncoder()

function toBytes(piece: string | Uint8Array): Uint8Array {
  return typeof piece === 'string' ? encoder.encode(piece) : piece
}

async function* whileAllowed(
  pieces: AsyncIterable<string | Uint8Array>,
  { recheck }: Pick<Asked<unknown, unknown>, 'recheck'>,
  state: { readonly isOver: boolean },
): AsyncGenerator<string | Uint8Array, void> {
  let checkedAt = performance.now()
  for await (const piece of pieces) {
    if (state.isOver) throw new ToolError('shutting_down', 'The copy was broken off')
    if (performance.now() - checkedAt > recheckMs) {
      await recheck()
      checkedAt = performance.now()
    }
    // Nothing to send yet: an empty piece would be taken for the end.
    if (piece.length > 0) yield piece
  }
}
