import type { Reply } from '../reply.ts'
import type { Asked } from '../route.ts'
import { ToolError } from '../../../core/errors.ts'

/** Between two looks whether the key is still good. */
const recheckMs = 2_000

interface ExportReply {
  /** Pieces of the file, each made when the socket has taken the one before. */
  pieces: AsyncIterable<string>
  type: string
  filename: string
}

/**
 * A file of any size that is made while it is sent. It ends whole or not at all: a drain, a key that
 * was revoked, and anything that fails break the connection, so that nobody takes half for all.
 */
export function exportReply(
  asked: Asked<unknown, unknown>,
  { pieces, type, filename }: ExportReply,
): Reply {
  const { door, caller } = asked
  const state = { isOver: false }
  const countOut = door.streams.open(caller, () => (state.isOver = true))
  // Also seen between two pages of which nothing was to be sent.
  const onClose = () => {
    state.isOver = true
    countOut()
  }
  const source = whileAllowed(pieces, asked, state)
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const next = await source.next()
          if (next.done !== true) return controller.enqueue(encoder.encode(next.value))
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

async function* whileAllowed(
  pieces: AsyncIterable<string>,
  { recheck }: Pick<Asked<unknown, unknown>, 'recheck'>,
  state: { readonly isOver: boolean },
): AsyncGenerator<string, void> {
  let checkedAt = Date.now()
  for await (const piece of pieces) {
    if (state.isOver) throw new ToolError('shutting_down', 'The copy was broken off')
    if (Date.now() - checkedAt > recheckMs) {
      await recheck()
      checkedAt = Date.now()
    }
    // Nothing to send yet: an empty piece would be taken for the end.
    if (piece !== '') yield piece
  }
}
