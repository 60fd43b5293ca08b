import { ToolError } from '../../../../core/kernel/errors.ts'
import { joinResults, type EvalResult } from '../../../../core/trials/evals/run-evals.ts'
import { type EvalReport, toEvalReport } from '../../../../features/evals/eval-report.ts'
import type { Command, CommandContext } from '../../command.ts'
import type { HttpClient } from '../../client/http-client.ts'
import { exit } from '../../exit-codes.ts'
import { writeJunit } from '../tools/write-junit.ts'
import { showResult, showSimilar, showSummary, toSuite } from './show-evals.ts'

/** `toolcrib eval`: gives the evals of tools and agents to models. */
export const evalCommand: Command = {
  summary: 'Give the evals of tools and agents to models, and check which tools they call.',
  usage: ['eval [PATTERN] [--agent AGENT] [--model MODEL]... [--runs N]'],
  options: {
    agent: { type: 'string', value: 'AGENT', summary: 'the agent that gets the requests' },
    model: {
      type: 'string',
      multiple: true,
      value: 'MODEL',
      summary: "a model in place of the agent's own; repeat it to compare several",
    },
    runs: { type: 'string', value: 'N', summary: 'how often to run each eval (1)' },
    'at-least': {
      type: 'string',
      value: 'SHARE',
      summary: 'the share of runs that must pass with each model, such as 0.9 (1)',
    },
    junit: { type: 'string', value: 'FILE', summary: 'also write the results as JUnit XML' },
  },
  maxWords: 1,
  reads: true,
  firstWord: 'tools',
  notes: [
    'Calls have no effect: they are answered by the outputs that an eval gives; otherwise reads run, and calls with an effect are previewed or refused.',
    'Models cost what they cost. The exit code is 1 if fewer runs pass than --at-least requires.',
  ],
  examples: [
    'toolcrib eval',
    "toolcrib eval 'billing.*' --agent support --runs 5 --at-least 0.9",
    'toolcrib eval agent:support --model anthropic/claude-sonnet-5 --model openai/gpt-5.1',
  ],
  async run(context) {
    const { screen, environment, options } = context
    const runs = readNumber(context, 'runs', { least: 1, most: 1000, isWhole: true }) ?? 1
    const atLeast = readNumber(context, 'at-least', { least: 0, most: 1 }) ?? 1
    const leaving = new AbortController()
    const stopListening = environment.onSignal(() => leaving.abort())
    const signal = AbortSignal.any([leaving.signal, screen.closed])
    try {
      const reports = await runAll(context, { runs, signal })
      const junit = options.text('junit')
      if (junit !== undefined) {
        await writeJunit(
          environment,
          junit,
          reports.map((report) => toSuite(report, atLeast)),
        )
      }
      const results = reports.flatMap((report) => report.results)
      const isEnough = meets(results, atLeast)
      if (screen.isJson) screen.json({ passed: isEnough && !signal.aborted, atLeast, reports })
      else {
        showSimilar(screen, reports)
        showSummary(screen, { results, atLeast, isEnough })
      }
      if (signal.aborted) return exit.interrupted
      return isEnough ? exit.ok : exit.failed
    } finally {
      stopListening()
    }
  },
}

/** The share counts for each model on its own: a good one must not hide a bad one. */
function meets(results: readonly EvalResult[], atLeast: number): boolean {
  const models = new Set(results.map(({ model }) => model))
  return [...models].every((model) => {
    const own = results.filter((result) => result.model === model)
    const runs = own.reduce((sum, result) => sum + result.runs, 0)
    return own.reduce((sum, result) => sum + result.passed, 0) >= atLeast * runs
  })
}

function readNumber(
  { options }: CommandContext,
  name: string,
  { least, most, isWhole = false }: { least: number; most: number; isWhole?: boolean },
): number | undefined {
  const text = options.text(name)
  if (text === undefined) return undefined
  const value = text.trim() === '' ? NaN : Number(text)
  const isFine = value >= least && value <= most && (!isWhole || Number.isInteger(value))
  if (isFine) return value
  const kind = isWhole ? 'a whole number' : 'a number'
  throw new ToolError('invalid_request', `--${name} must be ${kind} from ${least} to ${most}`)
}

interface Running {
  runs: number
  signal: AbortSignal
}

/** One eval with one model. */
interface Task {
  name: string
  label: string
  model: string | undefined
}

/**
 * Every eval with each model is a request of its own, and many runs are several: results appear as
 * they come, and no answer takes so long that a client gives it up.
 */
async function runAll(context: CommandContext, { runs, signal }: Running): Promise<EvalReport[]> {
  const { client } = await context.connect()
  const { options, words, screen } = context
  const agent = options.text('agent')
  const query = { pattern: words[0], agent }
  const { items } = await client.read<EvalList>('/evals', { query, signal })
  if (items.length === 0) await explainNone(context, client)
  const models = options.texts('model').length === 0 ? [undefined] : options.texts('model')
  const tasks = items.flatMap(({ name, labels }) =>
    labels.flatMap((label) => models.map((model): Task => ({ name, label, model }))),
  )
  const done = new Map<Task, Asked>()
  const ask = createAsk({ client, agent }, { runs, signal })
  let next = 0
  async function work(): Promise<void> {
    for (let task = tasks[next++]; task !== undefined; task = tasks[next++]) {
      const asked = await ask(task)
      if (asked === undefined) return
      done.set(task, asked)
      if (screen.isJson) continue
      showResult(screen, asked.result, { name: task.name, done: done.size, total: tasks.length })
    }
  }
  const atOnce = Math.max(1, Math.floor(conversationsAtOnce / Math.min(runs, runsPerRequest)))
  await Promise.all(Array.from({ length: Math.min(atOnce, tasks.length) }, work))
  return items.map(({ name }) => {
    const own = tasks.flatMap((task) => (task.name === name ? (done.get(task) ?? []) : []))
    const similar = own.flatMap((asked) => asked.similar)
    return toEvalReport(name, { results: own.map(({ result }) => result), similar })
  })
}

/** The result of one eval with one model, of all its requests. */
interface Asked extends Pick<EvalReport, 'similar'> {
  result: EvalResult
}

interface EvalList {
  items: { name: string; labels: string[] }[]
}

/** As many as the server runs at once for a tenant. */
const conversationsAtOnce = 8
const runsPerRequest = 4

/** Asks the server for one result; undefined once the signal has aborted. */
function createAsk(
  { client, agent }: { client: HttpClient; agent: string | undefined },
  { runs, signal }: Running,
) {
  return async ({ name, label, model }: Task): Promise<Asked | undefined> => {
    const reports: EvalReport[] = []
    try {
      for (let left = runs; left > 0; left -= runsPerRequest) {
        signal.throwIfAborted()
        const body = {
          name,
          labels: [label],
          agent,
          runs: Math.min(left, runsPerRequest),
          ...(model !== undefined && { models: [model] }),
        }
        reports.push(await client.read('/evals/run', { method: 'POST', body, signal }))
      }
    } catch (error) {
      if (!signal.aborted) throw error
      return undefined
    }
    const result = joinResults(reports.flatMap(({ results }) => results))
    return result && { result, similar: reports.flatMap(({ similar }) => similar) }
  }
}

async function explainNone(
  { words, screen, options }: CommandContext,
  client: HttpClient,
): Promise<void> {
  const [pattern] = words
  const agent = options.text('agent')
  if (pattern === undefined || /[*?]/.test(pattern)) {
    screen.err('No tool or agent has evals. Add evals: [{ say, expect }] to a definition.')
    return
  }
  // A name that nobody has is an error, with the nearest one.
  const body = { name: pattern, agent, labels: [] }
  await client.read('/evals/run', { method: 'POST', body })
  screen.err(`${pattern} has no evals. Add evals: [{ say, expect }] to its definition.`)
}
