import { EventSourceParserStream } from 'eventsource-parser/stream'
import type { Chunk } from './apply-chunk.ts'

/** The chunks of a turn as they come, until it ends or waits. Throws where the line is cut. */
export async function* readTurn(response: Response): AsyncGenerator<Chunk, void> {
  if (response.body === null) return
  const frames = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
  for await (const { data } of frames) {
    if (data === '[DONE]') return
    yield JSON.parse(data) as Chunk
  }
  // An answer that is over says so; this one was cut.
  throw new TypeError('The stream was cut')
}
