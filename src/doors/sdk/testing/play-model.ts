import { convertArrayToReadableStream, MockLanguageModelV4 } from 'ai/test'

type Generated = Awaited<ReturnType<MockLanguageModelV4['doGenerate']>>
type StreamPart = Parameters<typeof convertArrayToReadableStream<StreamedPart>>[0][number]
type StreamedPart =
  Awaited<ReturnType<MockLanguageModelV4['doStream']>>['stream'] extends ReadableStream<infer Part>
    ? Part
    : never

const usage: Generated['usage'] = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}

/** A model with scripted answers, one per step; the last one repeats. */
export function playModel(steps: readonly Generated[]): MockLanguageModelV4 {
  let position = 0
  const next = (): Generated => {
    const step = steps[Math.min(position, steps.length - 1)]
    position += 1
    if (step === undefined) throw new Error('The model has nothing to say')
    return step
  }
  return new MockLanguageModelV4({
    doGenerate: async () => next(),
    doStream: async () => ({ stream: convertArrayToReadableStream(toStream(next())) }),
  })
}

/** The model's last word. */
export function sayText(text: string): Generated {
  return answer([{ type: 'text', text }], 'stop')
}

/** One tool call: wire name and input, which may be text that is not JSON. */
type PlayedCall = readonly [name: string, input: unknown]

/** Tool calls that a model makes at once. Ids are made of the place unless they are given. */
export function callTools(...calls: (PlayedCall | { id: string; call: PlayedCall })[]): Generated {
  const content = calls.map((played, index) => {
    const { id, call } = 'id' in played ? played : { id: `call-${index}`, call: played }
    const [toolName, input] = call
    return {
      type: 'tool-call' as const,
      toolCallId: id,
      toolName,
      input: typeof input === 'string' ? input : JSON.stringify(input),
    }
  })
  return answer(content, 'tool-calls')
}

function answer(content: Generated['content'], unified: 'stop' | 'tool-calls'): Generated {
  return { content, finishReason: { unified, raw: unified }, usage, warnings: [] }
}

function toStream({ content, finishReason }: Generated): StreamPart[] {
  const parts = content.flatMap((part, index): StreamPart[] => {
    if (part.type === 'tool-call') return [part]
    if (part.type !== 'text') return []
    const id = String(index)
    return [
      { type: 'text-start', id },
      { type: 'text-delta', id, delta: part.text },
      { type: 'text-end', id },
    ]
  })
  return [{ type: 'stream-start', warnings: [] }, ...parts, { type: 'finish', finishReason, usage }]
}
