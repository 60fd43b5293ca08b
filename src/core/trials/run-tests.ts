import type { CallResult } from '../kernel/call.ts'
import type { JsonValue } from '../kernel/json.ts'
import type { Tool } from '../kernel/tool.ts'
import type { ToolTest } from '../kernel/trial/tool-test.ts'
import type { Condition } from '../shapes/condition.ts'
import { matches } from '../shapes/matches.ts'
import { matchPattern, type Mismatch } from './match-pattern.ts'

/** The parts of the outside that tests need. */
export interface TestPorts {
  /** Calls the tool under test, without effects. Never rejects. */
  call(test: ToolTest): Promise<CallResult>
  now(): number
}

/** The outcome of one test. */
export interface TestResult {
  label: string
  status: 'passed' | 'failed'
  durationMs: number
  /** The call on record; absent if it was refused before. */
  callId?: string
  /** Why it failed. */
  problems: readonly Mismatch[]
}

/** The outcome of all tests of a tool. */
export interface TestReport {
  tool: string
  passed: number
  failed: number
  results: readonly TestResult[]
}

/** Runs the tests of a tool, one after another. Nothing they call has an effect. */
export async function runTests(
  { contract }: Pick<Tool, 'contract'>,
  ports: TestPorts,
): Promise<TestReport> {
  const results: TestResult[] = []
  for (const test of contract.tests ?? []) results.push(await runTest(test, ports))
  const passed = results.filter(({ status }) => status === 'passed').length
  return { tool: contract.name, passed, failed: results.length - passed, results }
}

async function runTest(test: ToolTest, ports: TestPorts): Promise<TestResult> {
  const begin = ports.now()
  const result = await ports.call(test)
  const problems = findProblems(test, result)
  return {
    label: test.label,
    status: problems.length === 0 ? 'passed' : 'failed',
    durationMs: Math.max(0, ports.now() - begin),
    ...(result.callId !== undefined && { callId: result.callId }),
    problems,
  }
}

/** The differences between the result of a test's call and the expected one. */
function findProblems({ expect, input }: ToolTest, result: CallResult): Mismatch[] {
  const wanted = expect.status ?? (expect.error === undefined ? 'completed' : 'failed')
  if (result.status !== wanted) {
    return [{ path: '/status', message: `is ${result.status}, not ${wanted}${because(result)}` }]
  }
  return [
    ...findErrorProblems(expect, result),
    ...findOutputProblems(expect, result),
    ...findUnmet(expect, { input, result }),
  ]
}

function findErrorProblems({ error }: ToolTest['expect'], result: CallResult): Mismatch[] {
  if (error === undefined || result.error?.code === error) return []
  return [{ path: '/error', message: `is ${result.error?.code ?? 'no error'}, not ${error}` }]
}

function findOutputProblems({ output }: ToolTest['expect'], result: CallResult): Mismatch[] {
  if (output === undefined) return []
  const found = matchPattern(output, result.output ?? null)
  return found.map(({ path, message }) => ({ path: `/output${path}`, message }))
}

function findUnmet(
  { where = [] }: ToolTest['expect'],
  { input, result }: { input: JsonValue; result: CallResult },
): Mismatch[] {
  const call = { status: result.status, error: result.error ?? null }
  const roots = { input, output: result.output ?? null, call }
  return where.flatMap((condition, index) => {
    // Checked when the tool was defined.
    if (matches(condition as Condition, roots)) return []
    const message = `does not hold: ${JSON.stringify(condition)}`
    return [{ path: `/where/${index}`, message }]
  })
}

function because({ error }: CallResult): string {
  return error === undefined ? '' : ` (${error.code}: ${error.message})`
}
