import type { CallCapabilities, CallPurpose } from '../../kernel/call.ts'
import type { Web, WebRequest } from '../../kernel/context/web.ts'
import { refuseEffect } from './shield.ts'

type Guards = {
  readonly [Name in keyof Required<CallCapabilities>]: (
    capability: CallCapabilities[Name],
    purpose: CallPurpose,
  ) => CallCapabilities[Name]
}

/** The part of each capability that has no effect. A new one is refused until it has its line here. */
const guards: Guards = {
  tools: asItIs,
  skills: asItIs,
  files: asItIs,
  attachments: asItIs,
  model: asItIs,
  models: asItIs,
  pages: asItIs,
  // It only computes; its calls are shielded like all others.
  code: asItIs,
  artifacts: asItIs,
  agents: (agents, purpose) => agents && { start: refusing(purpose, 'starting an agent') },
  authoring: ({ list, get, check, preview }, purpose) => ({
    list,
    get,
    check,
    preview,
    apply: refusing(purpose, 'changing a tool'),
  }),
  questions: (_, purpose) => ({ ask: refusing(purpose, 'asking people') }),
  state: (state, purpose) =>
    state && {
      get: (key) => state.get(key),
      keys: () => state.keys(),
      set: refusing(purpose, 'ctx.state.set'),
      delete: refusing(purpose, 'ctx.state.delete'),
    },
  workspace: (workspace, purpose) => ({
    facts: () => workspace.facts(),
    usage: () => workspace.usage(),
    stat: (path) => workspace.stat(path),
    list: (path, options) => workspace.list(path, options),
    read: (path, options) => workspace.read(path, options),
    glob: (pattern, options) => workspace.glob(pattern, options),
    grep: (search) => workspace.grep(search),
    write: refusing(purpose, 'ctx.workspace.write'),
    edit: refusing(purpose, 'ctx.workspace.edit'),
    makeFolder: refusing(purpose, 'ctx.workspace.makeFolder'),
    move: refusing(purpose, 'ctx.workspace.move'),
    delete: refusing(purpose, 'ctx.workspace.delete'),
  }),
  // The capability itself runs commands in a workspace that they can only read, without a network.
  processes: (processes, purpose) => ({
    run: (request) =>
      request.relays === undefined
        ? processes.run(request)
        : Promise.reject(refuseEffect(purpose, 'a command with a network')),
    list: () => processes.list(),
    status: (pid) => processes.status(pid),
    output: (pid, options) => processes.output(pid, options),
    start: refusing(purpose, 'ctx.processes.start'),
    write: refusing(purpose, 'ctx.processes.write'),
    kill: refusing(purpose, 'ctx.processes.kill'),
  }),
  web: (web, purpose) => ({
    fetch: reading(web.fetch.bind(web), purpose),
    readPage: reading(web.readPage.bind(web), purpose),
  }),
  fetch: reading,
}

/** The capability of that name as a shielded call gets it. */
export function shieldCapability<Name extends keyof CallCapabilities>(
  name: Name,
  capability: CallCapabilities[Name],
  purpose: CallPurpose,
): CallCapabilities[Name] {
  const guard: Guards[Name] | undefined = guards[name]
  if (guard === undefined) throw refuseEffect(purpose, `ctx.${name}`)
  return guard(capability, purpose)
}

function asItIs<T>(capability: T): T {
  return capability
}

function refusing(purpose: CallPurpose, what: string): () => Promise<never> {
  return () => Promise.reject(refuseEffect(purpose, what))
}

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

type Send = (input: Parameters<Web['fetch']>[0], request?: WebRequest) => Promise<unknown>

/** Requests that only read, by the methods that HTTP calls safe. */
function reading<F extends (input: never, request?: WebRequest) => Promise<unknown>>(
  send: F,
  purpose: CallPurpose,
): F {
  const guarded: Send = (input, request) => {
    const method = request?.method ?? (input instanceof Request ? input.method : 'GET')
    return safeMethods.has(method.toUpperCase())
      ? send(input as never, request)
      : Promise.reject(refuseEffect(purpose, `a ${method.toUpperCase()} request`))
  }
  return guarded as unknown as F
}
