import type { CallContext, Progress } from '../core/kernel/call.ts'
import { isContentOutput } from '../core/kernel/content.ts'
import { ToolError } from '../core/kernel/errors.ts'
import type { Tool } from '../core/kernel/tool.ts'
import { aContext, type TestContext } from './a-context.ts'

/** The output of a tool, on its way and at its end. */
export interface ToolRun<Output = unknown> {
  output: Output
  /** The yielded values, in order. */
  partials: unknown[]
  /** The progress reported with `ctx.progress`, in order. */
  progress: Progress[]
}

/**
 * Runs one tool by itself, without policy, limits or record: its input is parsed and its output
 * checked as in a real call, and its context holds what the test gives. Throws what the tool throws,
 * and `invalid_input` or `output_invalid` for values that do not fit.
 */
export async function runTool<Input, Output>(
  tool: Tool<Input, Output>,
  input: Input,
  given: TestContext = {},
): Promise<ToolRun<Output>> {
  const progress: Progress[] = []
  assertSecrets(tool, given.secrets)
  const options = parseOptions(tool, given.options)
  const context = aContext({ progress: (step) => progress.push(step), ...given, options })
  const behaviour = await tool.behaviour(context)
  const parsed = behaviour.parseInput(input)
  if (!parsed.ok) throw misfit('invalid_input', parsed.issues)
  const { result, partials } = await drain(behaviour.execute(parsed.value, context))
  const isRich = isContentOutput(result) && tool.contract.outputSchema !== undefined
  const checked = behaviour.parseOutput(isRich ? (result.$structured ?? null) : result)
  if (!checked.ok) throw misfit('output_invalid', checked.issues)
  const output = isRich ? { $content: result.$content, $structured: checked.value } : checked.value
  return { output: output as Output, partials, progress }
}

/** Like the pipeline: a tool whose secrets are missing does not run. */
function assertSecrets({ contract }: Tool, secrets: TestContext['secrets'] = {}): void {
  const missing = contract.secrets.find(({ key, optional }) => !optional && !secrets[key])
  if (missing === undefined) return
  throw new ToolError('secret_missing', `The secret ${missing.key} is not given`, {
    fix: `Give it to the test: runTool(tool, input, { secrets: { ${missing.key}: '…' } }).`,
  })
}

function parseOptions(tool: Tool, options: TestContext['options'] = {}): CallContext['options'] {
  const parsed = tool.parseOptions(options)
  if (!parsed.ok) throw misfit('invalid_input', parsed.issues)
  return parsed.value as CallContext['options']
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

function misfit(code: 'invalid_input' | 'output_invalid', issues: ToolError['issues']): ToolError {
  const where = issues.map(({ path, message }) => `${path} ${message}`).join('; ')
  return new ToolError(code, `${code}: ${where}`, { issues })
}
