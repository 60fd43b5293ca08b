import type { MessagePort } from 'node:worker_threads'
import { ToolError } from '../../core/kernel/errors.ts'
import { toJsonValue } from '../../core/pipeline/output/to-json-value.ts'
import type { Tool } from '../../core/kernel/tool.ts'
import { createWorkerContext, type Line } from './worker-context.ts'
import type { WorkerAnswer, FromWorker, RunOrder, ToWorker } from './messages.ts'
import { fromSentError, toSentError } from './sent-error.ts'

/** Loads the tools that a module exports. */
export type LoadTools = (url: string) => Promise<readonly Tool[]>

/** The worker's side: runs tools on request, one call at a time. */
export function serveTools(
  port: Pick<MessagePort, 'on' | 'postMessage'>,
  loadTools: LoadTools,
): void {
  let controller = new AbortController()
  let asked = 0
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  const send = (message: FromWorker) => port.postMessage(message, [])
  const expect = (toMessage: (id: number) => FromWorker) => {
    const id = (asked += 1)
    const answer = Promise.withResolvers<unknown>()
    // Throws where it can't be copied: the tool hears of it there.
    send(toMessage(id))
    waiting.set(id, answer)
    return answer.promise
  }
  const toLine = (run: number): Line => ({
    tell: (part, args) => send({ run, kind: 'tell', part, args }),
    ask: (part, method, args) => expect((id) => ({ run, kind: 'ask', id, part, method, args })),
    partial: (value) => expect((id) => ({ run, kind: 'partial', id, value: toJson(value) })),
  })
  port.on('message', (message: ToWorker) => {
    if (message.kind === 'answer') return settle(waiting, message)
    if (message.kind === 'abort') return controller.abort(fromSentError(message.reason))
    const { run } = message
    controller = new AbortController()
    const { signal } = controller
    runOrder(message, { line: toLine(run), signal, loadTools }).then(
      (value) => send({ run, kind: 'done', value }),
      (error: unknown) => send({ run, kind: 'failed', error: toSentError(error) }),
    )
  })
}

function settle(waiting: Map<number, PromiseWithResolvers<unknown>>, answer: WorkerAnswer): void {
  const asked = waiting.get(answer.id)
  waiting.delete(answer.id)
  if ('error' in answer) asked?.reject(fromSentError(answer.error))
  else asked?.resolve(answer.value)
}

interface Surroundings {
  line: Line
  signal: AbortSignal
  loadTools: LoadTools
}

async function runOrder(order: RunOrder, around: Surroundings): Promise<unknown> {
  const tools = await around.loadTools(order.url)
  const tool = tools.find(({ contract }) => contract.name === order.tool)
  if (tool === undefined) {
    throw new ToolError('invalid_tool', `The file no longer exports the tool ${order.tool}`)
  }
  const context = createWorkerContext(order, around)
  const { execute } = await tool.behaviour(context)
  const result = execute(order.input, context)
  return isAsyncIterable(result) ? drain(result, around.line) : toJson(await result)
}

/** Each yield is taken before the next is made: a fast generator fills nobody's memory. */
async function drain(iterable: AsyncIterable<unknown>, line: Line): Promise<unknown> {
  const iterator = iterable[Symbol.asyncIterator]()
  for (;;) {
    const step = await iterator.next()
    if (step.done) return toJson(step.value)
    await line.partial(step.value)
  }
}

/** Converts like the pipeline, but here, because classes and functions can't be sent. */
function toJson(value: unknown): unknown {
  return value === undefined ? undefined : toJsonValue(value).value
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}
