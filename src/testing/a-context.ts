import type { CallContext } from '../core/kernel/call.ts'
import { type CallableTool, nameOfTool } from '../core/kernel/callable-tool.ts'
import { ToolError } from '../core/kernel/errors.ts'

/** The parts of a context that a test sets. */
export type TestContext = Partial<Omit<CallContext, 'call' | 'options'>> & {
  /** The operator's settings; in `runTool` the defaults of the tool's `optionsSchema`. */
  options?: CallContext['options']
  /** Answers for the tools that it calls; without it every call fails with `tool_not_found`. */
  call?: (name: string, input: unknown) => unknown
}

/**
 * A context for code that takes one, such as functions shared by several tools. Everything not
 * given is empty: no secrets, no files, no other tools.
 */
export function aContext({ call, options = {}, ...given }: TestContext = {}): CallContext {
  return {
    tenant: 'default',
    agent: undefined,
    principal: { kind: 'user', id: 'tester' },
    sessionId: undefined,
    runtime: 'api',
    callId: 'call_test',
    signal: new AbortController().signal,
    secrets: {},
    env: {},
    options,
    completion: undefined,
    client: undefined,
    log: () => undefined,
    progress: () => undefined,
    cost: () => undefined,
    call: toCall(call),
    files: noFiles,
    skills: noSkills,
    tools: noTools,
    workspace: missing('workspace'),
    processes: missing('processes'),
    web: missing('web'),
    fetch: () => Promise.reject(notGiven('fetch')),
    pages: missing('pages'),
    code: missing('code'),
    models: missing('models'),
    artifacts: missing('artifacts'),
    questions: missing('questions'),
    authoring: missing('authoring'),
    ...given,
  }
}

/** The types of a call are those of the tool that is called, which a test plays. */
function toCall(answer: TestContext['call']): CallContext['call'] {
  const call = async (tool: CallableTool | string, input: unknown = {}) => {
    const name = nameOfTool(tool)
    if (answer !== undefined) return answer(name, input)
    throw new ToolError('tool_not_found', `There is no tool ${name} here`, {
      fix: 'Give the test a call function that answers for it, or use createTestCrib.',
    })
  }
  return call as CallContext['call']
}

const noFile = () => Promise.reject(new ToolError('not_found', 'There is no file here.'))
const noFiles: CallContext['files'] = { open: noFile, read: noFile }

const noSkills: CallContext['skills'] = {
  list: async () => [],
  read: (name) => Promise.reject(new ToolError('not_found', `There is no skill ${name} here.`)),
}

const noTools: CallContext['tools'] = {
  search: async () => ({ found: [], of: 0 }),
  describe: async () => ({ sheets: [], unknown: [] }),
}

/** A capability that the test has not provided: each use throws an error that names it. */
function missing<
  Name extends
    | 'workspace'
    | 'processes'
    | 'web'
    | 'pages'
    | 'code'
    | 'models'
    | 'artifacts'
    | 'questions'
    | 'authoring',
>(name: Name): CallContext[Name] {
  return new Proxy({} as CallContext[Name] & object, {
    get: (_, member) => {
      // Awaiting the part itself must not look for a method called "then".
      if (typeof member === 'symbol' || member === 'then') return undefined
      throw notGiven(name)
    },
  })
}

const notGiven = (name: string) =>
  new ToolError('not_found', `ctx.${name} is not given`, {
    fix: `Give it to the test: runTool(tool, input, { ${name} }).`,
  })
