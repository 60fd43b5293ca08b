import type { LanguageModel } from 'ai'
import type { JsonValue } from '../../../core/kernel/json.ts'
import { isRecord } from '../../../core/kernel/json/json-type.ts'
import {
  answerAsDemo,
  type DemoAnswer,
  type DemoResult,
  type DemoTurn,
  metaCall,
} from './demo-answer.ts'
import { readDemoWords } from './demo-words.ts'

type Model = Extract<LanguageModel, { specificationVersion: 'v4' }>
type Options = Parameters<Model['doGenerate']>[0]
type Generated = Awaited<ReturnType<Model['doGenerate']>>
type StreamPart = ReadableStreamItem<Awaited<ReturnType<Model['doStream']>>['stream']>
type ReadableStreamItem<S> = S extends ReadableStream<infer Item> ? Item : never
type Message = Options['prompt'][number]
type ToolOutput = Extract<
  Extract<Message, { role: 'tool' }>['content'][number],
  { type: 'tool-result' }
>['output']

/**
 * A model that needs no key and no network, so that agents can be tried and tested: it runs the
 * tools it is asked to run, and introduces itself as the demo model.
 */
export function createDemoModel(): Model {
  return {
    specificationVersion: 'v4',
    provider: 'demo',
    modelId: 'demo',
    supportedUrls: {},
    async doGenerate(options) {
      return toGenerated(answerAsDemo(readTurn(options)), options)
    },
    async doStream(options) {
      const generated = toGenerated(answerAsDemo(readTurn(options)), options)
      return { stream: ReadableStream.from(toParts(generated, options.abortSignal)) }
    },
  }
}

function readTurn({ prompt, tools }: Options): DemoTurn {
  const last = prompt.findLastIndex(({ role }) => role === 'user')
  const since = prompt.slice(last + 1)
  const meant = new Map(since.flatMap(meantTools))
  return {
    instructions: prompt
      .map((message) => (message.role === 'system' ? message.content : ''))
      .join('\n'),
    said: textOf(prompt[last]),
    passes: since.filter(hasCalls).length,
    results: since.flatMap(resultsOf).map(({ callId, ...result }) => ({
      ...result,
      tool: meant.get(callId) ?? result.tool,
    })),
    tools: (tools ?? []).flatMap((tool) =>
      tool.type === 'function'
        ? [
            {
              name: tool.name,
              description: tool.description ?? '',
              words: readDemoWords(tool.providerOptions),
            },
          ]
        : [],
    ),
  }
}

function textOf(message: Message | undefined): string {
  if (message?.role !== 'user') return ''
  return message.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
}

function hasCalls(message: Message): boolean {
  return message.role === 'assistant' && message.content.some(({ type }) => type === 'tool-call')
}

/** Tools that were called by name through another, by the id of the call. */
function meantTools(message: Message): [callId: string, tool: string][] {
  if (message.role !== 'assistant') return []
  return message.content.flatMap((part): [string, string][] => {
    if (part.type !== 'tool-call' || part.toolName !== metaCall || !isRecord(part.input)) return []
    const { name } = part.input
    return typeof name === 'string' ? [[part.toolCallId, name]] : []
  })
}

function resultsOf(message: Message): (DemoResult & { callId: string })[] {
  if (message.role !== 'tool') return []
  return message.content.flatMap((part) =>
    part.type === 'tool-result'
      ? [{ callId: part.toolCallId, tool: part.toolName, ...toOutcome(part.output) }]
      : [],
  )
}

function toOutcome(output: ToolOutput): Omit<DemoResult, 'tool'> {
  if (output.type === 'execution-denied') {
    return { outcome: 'denied', text: output.reason ?? 'nobody allowed it' }
  }
  if (output.type === 'error-text') return { outcome: 'failed', text: output.value }
  if (output.type === 'error-json') return { outcome: 'failed', text: JSON.stringify(output.value) }
  if (output.type === 'text') return { outcome: 'done', text: output.value }
  if (output.type === 'json') {
    return { outcome: 'done', text: '', value: output.value as JsonValue }
  }
  const texts = output.value.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`))
  return { outcome: 'done', text: texts.join('\n') }
}

const charactersPerToken = 4

function toGenerated(answer: DemoAnswer, { prompt }: Options): Generated {
  const calls = 'calls' in answer ? answer.calls : []
  const text = answer.text ?? ''
  const written = text.length + JSON.stringify(calls).length
  const read = Math.ceil(JSON.stringify(prompt).length / charactersPerToken)
  const output = Math.ceil(written / charactersPerToken)
  return {
    content: [
      ...(text === '' ? [] : [{ type: 'text' as const, text }]),
      ...calls.map(({ tool, input }) => ({
        type: 'tool-call' as const,
        toolCallId: `demo_${crypto.randomUUID().slice(0, 13)}`,
        toolName: tool,
        input: JSON.stringify(input),
      })),
    ],
    finishReason: { unified: calls.length > 0 ? 'tool-calls' : 'stop', raw: undefined },
    usage: {
      inputTokens: { total: read, noCache: read, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: output, text: output, reasoning: 0 },
    },
    warnings: [],
  }
}

const betweenWordsMs = 5

/** Word by word, as real ones do. */
async function* toParts(
  { content, finishReason, usage, warnings }: Generated,
  signal: AbortSignal | undefined,
): AsyncGenerator<StreamPart> {
  yield { type: 'stream-start', warnings }
  for (const part of content) {
    if (part.type === 'tool-call') {
      yield { type: 'tool-input-start', id: part.toolCallId, toolName: part.toolName }
      yield { type: 'tool-input-delta', id: part.toolCallId, delta: part.input }
      yield { type: 'tool-input-end', id: part.toolCallId }
      yield part
    }
    if (part.type === 'text') {
      yield { type: 'text-start', id: 'text' }
      for (const word of part.text.split(/(?<=\s)/)) {
        signal?.throwIfAborted()
        yield { type: 'text-delta', id: 'text', delta: word }
        await new Promise((resolve) => setTimeout(resolve, betweenWordsMs))
      }
      yield { type: 'text-end', id: 'text' }
    }
  }
  yield { type: 'finish', finishReason, usage }
}
