import type { Processes, RunRequest } from '../../core/kernel/context/processes.ts'
import type { CallContext } from '../../core/kernel/call.ts'
import type { Pages } from '../../core/kernel/context/pages.ts'
import type { CallerClient } from '../../core/kernel/context/caller-client.ts'
import type { Workspace } from '../../core/kernel/context/workspace.ts'
import { isToolError, ToolError } from '../../core/kernel/errors.ts'
import { type CallableTool, nameOfTool } from '../../core/kernel/callable-tool.ts'
import type { CallFiles, WholeFile } from '../../core/kernel/context/call-file.ts'
import { createWorkerWeb } from './web-wire.ts'
import type { AskedPart, RunOrder, Said } from './messages.ts'

type Tell = Extract<Said, { kind: 'tell' }>

/** The way to the main thread. */
export interface Line {
  tell(part: Tell['part'], args: readonly unknown[]): void
  ask(part: AskedPart | 'call', method: string, args: readonly unknown[]): Promise<unknown>
  /** Resolves when it was taken. */
  partial(value: unknown): Promise<unknown>
}

/**
 * The context of a tool in a worker: values are copies, everything else is requested from the main
 * thread.
 */
export function createWorkerContext(
  order: RunOrder,
  { line, signal }: { line: Line; signal: AbortSignal },
): CallContext {
  const has = new Set(order.has)
  const part = <Name extends AskedPart>(name: Name) =>
    has.has(name) ? askingPart<CallContext[Name]>(name, line) : undefined
  const web = createWorkerWeb((request) => line.ask('web', 'send', [request]))
  return {
    ...order.context,
    signal,
    log: (fields) => line.tell('log', [fields]),
    progress: (progress) => line.tell('progress', [progress]),
    cost: (units) => line.tell('cost', [units]),
    call: ((tool: CallableTool | string, input: unknown = {}) =>
      line.ask('call', nameOfTool(tool), [input])) as CallContext['call'],
    tools: askingPart('tools', line),
    skills: askingPart('skills', line),
    files: askingFiles(line),
    state: part('state'),
    attachments: part('attachments'),
    model: part('model'),
    agents: part('agents'),
    artifacts: askingPart('artifacts', line),
    questions: askingPart('questions', line),
    workspace: askingWorkspace(line),
    processes: askingProcesses(line),
    web,
    fetch: web.fetch,
    pages: {
      // A signal can't be sent; the end of this call ends the conversion, too.
      convert: (html, { url, format }) =>
        line.ask('pages', 'convert', [html, { url, format }]) as ReturnType<Pages['convert']>,
    },
    code: noCode,
    models: noModels,
    authoring: noAuthoring,
    client: has.has('client') ? askingClient(order, line) : undefined,
  }
}

/** Only a built-in tool changes tools, and that runs in the main thread. */
const refuse = () => Promise.reject(new ToolError('denied', 'Only tools.manage can change tools'))
const noAuthoring: CallContext['authoring'] = {
  list: refuse,
  get: refuse,
  check: refuse,
  preview: refuse,
  apply: refuse,
}

/** A question has a function that hears its answer, which can't be sent. */
const noModels: CallContext['models'] = {
  ask: () =>
    Promise.reject(
      new ToolError('invalid_tool', "A tool with isolation 'worker' can't use ctx.models", {
        fix: 'Use ctx.model, the model of the calling agent.',
      }),
    ),
}

/** A program is driven in turns, which is left to tools that run beside the pipeline. */
const noCode: CallContext['code'] = {
  maxCalls: 0,
  open: () =>
    Promise.reject(
      new ToolError('invalid_tool', "A tool with isolation 'worker' can't run programs", {
        fix: 'Leave out isolation: a program has a thread of its own anyway.',
      }),
    ),
}

/** Every method of these is asynchronous, takes values and gives values. */
function askingPart<Part>(name: AskedPart, line: Line): NonNullable<Part> {
  return new Proxy(Object.create(null) as NonNullable<Part> & object, {
    get: (_, method) =>
      // Awaiting the part itself must not ask for a method called "then".
      typeof method === 'string' && method !== 'then'
        ? (...args: unknown[]) => line.ask(name, method, args)
        : undefined,
  })
}

const mostTries = 5

/** A function can't be sent, so an edit reads, and writes only if nothing has changed since. */
function askingWorkspace(line: Line): Workspace {
  const workspace = askingPart<Workspace>('workspace', line)
  async function edit(path: string, change: (text: string) => string) {
    for (let tries = 1; ; tries += 1) {
      const { bytes, isPartial } = await workspace.read(path)
      if (isPartial) throw new ToolError('invalid_input', `${path} is too large to edit`)
      const text = decodeText(path, bytes)
      try {
        return await workspace.write(path, change(text), { ifContent: bytes })
      } catch (error) {
        const isRace = isToolError(error) && error.code === 'conflict'
        if (!isRace || tries === mostTries) throw error
      }
    }
  }
  const get = (_: object, method: string | symbol): unknown =>
    method === 'edit' ? edit : Reflect.get(workspace, method)
  return new Proxy<Workspace>(Object.create(null) as Workspace, { get })
}

function decodeText(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    const message = `${path} is not UTF-8 text, so it can only be replaced as a whole`
    throw new ToolError('invalid_input', message, { cause })
  }
}

/** Functions can't be sent. */
function askingProcesses(line: Line): Processes {
  const asking: Processes = askingPart('processes', line)
  return new Proxy(asking, {
    get(processes, method, receiver) {
      if (method !== 'run') return Reflect.get(processes, method, receiver) as unknown
      return async ({ relays, onOutput, ...request }: RunRequest) => {
        if (relays === undefined && onOutput === undefined) return processes.run(request)
        const name = relays === undefined ? 'onOutput' : 'relays'
        throw new ToolError('tool_failed', `${name} of a command does not work in a worker`, {
          fix: 'Leave it out, or set isolation: "inline".',
        })
      }
    },
  })
}

function askingFiles(line: Line): CallFiles {
  return {
    async read(value, options) {
      const file = (await line.ask('files', 'read', [value, options])) as Omit<WholeFile, 'text'>
      return { ...file, text: () => new TextDecoder().decode(file.bytes) }
    },
    open() {
      throw new ToolError('tool_failed', 'ctx.files.open does not work in a worker', {
        fix: 'Use ctx.files.read, or set isolation: "inline".',
      })
    },
  }
}

function askingClient({ abilities }: RunOrder, line: Line): CallerClient {
  return {
    abilities: abilities ?? new Set(),
    ask: (requests) => line.ask('client', 'ask', [requests]) as ReturnType<CallerClient['ask']>,
    log: (entry) => line.tell('client', [entry]),
  }
}
