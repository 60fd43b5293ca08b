import { EventSourceParserStream } from 'eventsource-parser/stream'
import type { Chunk } from './apply-chunk.ts'

/** The chunks of a turn until it ends or waits. Throws if the connection is lost. */
export async function* readTurn(response: Response): AsyncGenerator<Chunk, void> {
  if (response.body === null) return
  const frames = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
  for await (const { data } of frames) {
    if (data === '[DONE]') return
    yield JSON.parse(data) as Chunk
  }
  // A complete stream ends with [DONE]; this one was cut off.
  throw new TypeError('The stream was cut off')
}
