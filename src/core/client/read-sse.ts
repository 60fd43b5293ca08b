/** One message of an event stream. `id` is the last one received, as in the protocol. */
export interface SseMessage {
  event: string
  text: string
  id: string | undefined
}

/**
 * A message that never ends must not fill the memory; the server's largest message is far smaller.
 */
const maxBufferChars = 64 * 1024 * 1024

/**
 * Messages of a `text/event-stream` body, as they arrive. Ends with the stream; throws when it
 * breaks.
 */
export async function* readSse(body: ReadableStream<Uint8Array>): AsyncGenerator<SseMessage> {
  const lines = readLines(body)
  let message = emptyMessage(undefined)
  let hasText = false
  for await (const line of lines) {
    if (line === '') {
      if (hasText) yield { ...message, text: message.text.slice(0, -1) }
      message = emptyMessage(message.id)
      hasText = false
      continue
    }
    const { field, value } = splitField(line)
    if (field === 'event') message.event = value
    if (field === 'id') message.id = value
    if (field === 'data') {
      message.text += `${value}\n`
      hasText = true
    }
  }
}

function emptyMessage(id: string | undefined): SseMessage {
  return { event: 'message', text: '', id }
}

/** A line that starts with a colon is a comment: its field is empty and is ignored. */
function splitField(line: string): { field: string; value: string } {
  const colon = line.indexOf(':')
  if (colon === -1) return { field: line, value: '' }
  const value = line.slice(colon + 1)
  return { field: line.slice(0, colon), value: value.startsWith(' ') ? value.slice(1) : value }
}

async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let buffer = ''
  for await (const chunk of chunksOf(body)) {
    buffer += decoder.decode(chunk, { stream: true })
    if (buffer.length > maxBufferChars) throw new Error('a line of the event stream is too long')
    // A carriage return at the very end may be half of a line end: it waits for the next chunk.
    const parts = buffer.split(/\r\n|\n|\r(?!$)/)
    buffer = parts.pop() ?? ''
    yield* parts
  }
}

/**
 * Uses a reader, because not every browser can iterate a stream. Breaking out of the loop cancels
 * the stream.
 */
async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    // If it has ended or failed, there is nothing to cancel.
    await reader.cancel().catch(() => undefined)
  }
}
