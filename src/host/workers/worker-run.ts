import type { CallContext } from '../../core/kernel/call.ts'
import type { IsolatedPlace } from '../../core/isolate-tool.ts'
import type { WholeFile } from '../../core/kernel/context/call-file.ts'
import { type AskedPart, askedParts, type RunOrder, type Said } from './messages.ts'
import { fromSentError, toSentError } from './sent-error.ts'
import { sendForWorker } from './web-wire.ts'
import type { ToolWorker } from './tool-worker.ts'

/** How long a tool may take to clean up once its call has ended. */
const graceMs = 250

interface Run {
  worker: ToolWorker
  context: CallContext
  /** Called while the tool waits for another tool; returns a function to call when it continues. */
  onCalling(): () => void
  /** Partial output that was not taken yet: one at most, the worker waits. */
  push(partial: { value: unknown; taken(): void }): void
  end(result: { value: unknown } | { error: unknown }): void
}

interface Work extends Pick<Run, 'onCalling'> {
  place: IsolatedPlace
  input: unknown
}

let runs = 0

/**
 * One call on a worker. Afterwards the worker is free for the next call, or was terminated because
 * its tool did not end in time.
 */
export async function* runOnWorker(
  worker: ToolWorker,
  { place, input, onCalling }: Work,
  context: CallContext,
): AsyncGenerator<unknown, unknown> {
  const { signal } = context
  const steps = createSteps()
  const run: Run = { worker, context, onCalling, ...steps }
  const number = (runs += 1)
  worker.listen({
    onMessage: (message) => (message.run === number ? void hear(message, run) : undefined),
    onEnd: (error) => steps.end({ error }),
  })
  let timer: ReturnType<typeof setTimeout> | undefined
  const onAbort = () => {
    worker.send({ kind: 'abort', reason: toSentError(signal.reason) })
    // A tool that spins hears nothing.
    timer = setTimeout(() => void worker.terminate(), graceMs)
  }
  try {
    worker.send({ ...toOrder(place, input, context), run: number })
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
    return yield* steps.all()
  } finally {
    signal.removeEventListener('abort', onAbort)
    clearTimeout(timer)
    worker.listen(undefined)
    if (!steps.hasEnded()) void worker.terminate()
  }
}

function toOrder(
  place: IsolatedPlace,
  input: unknown,
  context: CallContext,
): Omit<RunOrder, 'run'> {
  const { tenant, agent, principal, sessionId, runtime, callId, options, completion } = context
  const { secrets, env } = context
  return {
    kind: 'run',
    ...place,
    input,
    context: {
      tenant,
      agent,
      principal,
      sessionId,
      runtime,
      callId,
      options,
      completion,
      secrets: { ...secrets },
      env: { ...env },
    },
    has: askedParts.filter((part) => context[part] !== undefined),
    abilities: context.client?.abilities,
  }
}

async function hear(message: Said, run: Run): Promise<void> {
  switch (message.kind) {
    case 'tell':
      tell(message, run.context)
      return
    case 'partial': {
      const taken = () => run.worker.send({ kind: 'answer', id: message.id, value: undefined })
      run.push({ value: message.value, taken })
      return
    }
    case 'ask':
      await answer(message, run)
      return
    case 'done':
      run.end({ value: message.value })
      return
    case 'failed':
      run.end({ error: fromSentError(message.error) })
  }
}

function tell({ part, args }: Extract<Said, { kind: 'tell' }>, context: CallContext): void {
  const [first] = args
  if (part === 'client') context.client?.log(first as never)
  else context[part](first as never)
}

type Question = Extract<Said, { kind: 'ask' }>

async function answer(question: Question, { worker, context, onCalling }: Run): Promise<void> {
  const { id } = question
  const goOn = question.part === 'call' ? onCalling() : undefined
  try {
    const value = await askPart(question, context)
    worker.send({ kind: 'answer', id, value })
  } catch (error) {
    worker.send({ kind: 'answer', id, error: toSentError(error) })
  } finally {
    goOn?.()
  }
}

async function askPart({ part, method, args }: Question, context: CallContext): Promise<unknown> {
  if (part === 'call') return (context.call as CallByName)(method, args[0])
  if (part === 'web' && method === 'send') return sendForWorker(context.web, args[0])
  const asked = context[part] as
    | Partial<Record<string, (...args: unknown[]) => unknown>>
    | undefined
  const ask = asked !== undefined && isMethod(part, method) ? asked[method] : undefined
  if (ask === undefined) throw new TypeError(`ctx.${part}.${method} is not a function`)
  const value = await ask.apply(asked, [...args])
  // A file has a method beside its bytes; it is made again over there.
  if (part !== 'files') return value
  const { text: _text, ...file } = value as WholeFile
  return file
}

type CallByName = (name: string, input: unknown) => Promise<unknown>

/**
 * The methods that a worker may request, by name: a tool's code is not trusted with the rest of an
 * object.
 */
const methods: Readonly<Record<AskedPart, readonly string[]>> = {
  tools: ['search', 'describe'],
  skills: ['list', 'read'],
  files: ['read'],
  state: ['get', 'keys', 'set', 'delete'],
  attachments: ['list', 'read'],
  model: ['generate'],
  agents: ['start'],
  client: ['ask'],
  artifacts: ['save'],
  workspace: [
    'facts',
    'usage',
    'stat',
    'list',
    'read',
    'write',
    'makeFolder',
    'move',
    'delete',
    'glob',
    'grep',
  ],
  processes: ['run', 'start', 'list', 'status', 'output', 'write', 'kill'],
  web: [],
  pages: ['convert'],
  questions: ['ask'],
}

function isMethod(part: AskedPart, method: string): boolean {
  return methods[part].includes(method)
}

/** The messages of the worker as an iterable. */
function createSteps() {
  const partials: { value: unknown; taken(): void }[] = []
  let result: { value: unknown } | { error: unknown } | undefined
  let next = Promise.withResolvers<void>()
  return {
    push(partial: { value: unknown; taken(): void }) {
      partials.push(partial)
      next.resolve()
    },
    hasEnded: () => result !== undefined,
    end(ended: { value: unknown } | { error: unknown }) {
      result ??= ended
      next.resolve()
    },
    async *all(): AsyncGenerator<unknown, unknown> {
      for (;;) {
        const partial = partials.shift()
        if (partial !== undefined) {
          yield partial.value
          partial.taken()
          continue
        }
        if (result !== undefined) {
          if ('error' in result) throw result.error
          return result.value
        }
        await next.promise
        next = Promise.withResolvers<void>()
      }
    },
  }
}
