import { ToolError } from 'toolcrib'
import type { CallContext, Progress, Tool } from 'toolcrib'

/** What a tool said on its way and at its end. */
export interface ToolRun {
  output: unknown
  partials: unknown[]
  progress: Progress[]
}

/**
 * Runs one tool without a crib, for its tests: the input is parsed and the output checked as in a
 * real call, and the context holds only what the test gives.
 */
export async function runTool(
  tool: Tool,
  input: unknown,
  given: Partial<CallContext> = {},
): Promise<ToolRun> {
  const progress: Progress[] = []
  const context = toContext({ progress: (step) => progress.push(step), ...given })
  const behaviour = await tool.behaviour(context)
  const parsed = behaviour.parseInput(input)
  if (!parsed.ok) throw toError('invalid_input', parsed.issues)
  const { result, partials } = await drain(behaviour.execute(parsed.value, context))
  const checked = behaviour.parseOutput(result)
  if (!checked.ok) throw toError('output_invalid', checked.issues)
  return { output: checked.value, partials, progress }
}

/** The output alone, as the caller expects it to be. */
export async function outputOf<T>(
  tool: Tool,
  input: unknown,
  given: Partial<CallContext> = {},
): Promise<T> {
  return (await runTool(tool, input, given)).output as T
}

function toContext(given: Partial<CallContext>): CallContext {
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
    options: {},
    completion: undefined,
    client: undefined,
    log: () => undefined,
    progress: () => undefined,
    cost: () => undefined,
    call: (name) =>
      Promise.reject(new ToolError('tool_not_found', `There is no tool ${name} here.`)),
    files: noFiles,
    skills: noSkills,
    tools: noTools,
    ...given,
  }
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

/** A generator's last value, returned or yielded, is its result. */
async function drain(result: unknown): Promise<{ result: unknown; partials: unknown[] }> {
  const partials: unknown[] = []
  if (!isAsyncIterator(result)) return { result: await result, partials }
  for (;;) {
    const step = await result.next()
    if (step.done) return { result: step.value ?? partials.at(-1), partials }
    partials.push(step.value)
  }
}

function isAsyncIterator(value: unknown): value is AsyncIterator<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

function toError(code: 'invalid_input' | 'output_invalid', issues: ToolError['issues']): ToolError {
  const where = issues.map(({ path, message }) => `${path} ${message}`).join('; ')
  return new ToolError(code, `${code}: ${where}`, { issues })
}
