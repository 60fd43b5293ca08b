import type { z } from 'zod'
import { asAgent } from '../../core/kernel/caller.ts'
import type { Caller } from '../../core/kernel/call.ts'
import { isToolError, ToolError } from '../../core/kernel/errors.ts'
import type { ToolEval } from '../../core/kernel/trial/tool-eval.ts'
import type { ToolOffer } from '../../core/offer/tool-offer.ts'
import { findUnknownTools } from '../../core/trials/evals/check-evals.ts'
import { labelOf } from '../../core/trials/evals/eval-label.ts'
import type { EvalSeat } from '../../core/trials/evals/eval-outcome.ts'
import { findSimilar, type SimilarTools } from '../../core/trials/evals/find-similar.ts'
import { type EvalJob, runEvals } from '../../core/trials/evals/run-evals.ts'
import { type EvalReport, toEvalReport } from './eval-report.ts'
import { type EvalSubject, findEvals } from './find-evals.ts'
import type { EvalParts } from './parts.ts'
import type { evalRequest } from './schemas.ts'

const conversationsAtOnce = 4
/** Of one request: more are several requests. */
const maxConversations = 1000

interface Asking {
  caller: Caller
  parts: EvalParts
  signal?: AbortSignal | undefined
}

/** Runs the evals that a request names. */
export async function runRequest(
  { name, labels, agent, models, runs }: z.output<typeof evalRequest>,
  { caller, parts, signal }: Asking,
): Promise<EvalReport> {
  const subject = await findEvals(asAgent(caller, { agent }), name, parts)
  const evals = subject.evals.filter((one) => labels?.includes(labelOf(one)) ?? true)
  const chosen: readonly (string | undefined)[] = models ?? [undefined]
  assertBounded(evals.length * chosen.length * runs)
  const seats = createSeats(caller, parts)
  const as = { ...subject, agent: subject.agent ?? agent }
  const jobs: (EvalJob & Offered)[] = []
  for (const test of evals) {
    for (const model of chosen) {
      jobs.push(await toJob(test, { as, model, seats }, { caller, parts }))
    }
  }
  const results = await runEvals(jobs, {
    runs,
    atOnce: conversationsAtOnce,
    signal: signal ?? new AbortController().signal,
    now: parts.store.now,
  })
  const similar = results.flatMap(({ status }, index) =>
    status === 'passed' ? [] : findSimilarTo(jobs[index]),
  )
  return toEvalReport(subject.name, { results, similar })
}

interface Offered {
  /** The tools of its caller; absent if it has none that could be asked. */
  offer?: ToolOffer
}

/** Tools that a model may have taken for the expected ones. */
function findSimilarTo(job: (EvalJob & Offered) | undefined): SimilarTools[] {
  const { test, offer } = job ?? {}
  if (offer === undefined) return []
  return (test?.expect.calls ?? []).flatMap(({ tool }) => findSimilar(offer, tool) ?? [])
}

function assertBounded(conversations: number): void {
  if (conversations <= maxConversations) return
  throw new ToolError(
    'invalid_request',
    `These would be ${conversations} conversations; one request runs at most ${maxConversations}`,
    { fix: 'Name some of the evals in labels, or ask for fewer runs or models.' },
  )
}

interface Seats {
  find(agent: string | undefined, model: string | undefined): Promise<EvalSeat>
}

/** One per agent and model; their conversations share the capacity of the tenant. */
function createSeats(caller: Caller, { evals, slots }: EvalParts): Seats {
  const known = new Map<string, Promise<EvalSeat>>()
  async function open(agent: string | undefined, model: string | undefined): Promise<EvalSeat> {
    const seat = await evals.seat(asAgent(caller, { agent }), model)
    return {
      ...seat,
      run: (test, signal) => slots.run(caller.tenant, signal, () => seat.run(test, signal)),
    }
  }
  return {
    find(agent, model) {
      const key = JSON.stringify([agent, model])
      const seat = known.get(key) ?? open(agent, model)
      known.set(key, seat)
      return seat
    },
  }
}

interface JobRequest {
  as: Pick<EvalSubject, 'agent'>
  model: string | undefined
  seats: Seats
}

/** An eval that can't run as it is written fails, and the others run. */
async function toJob(
  test: ToolEval,
  { as, model, seats }: JobRequest,
  { caller, parts }: { caller: Caller; parts: EvalParts },
): Promise<EvalJob & Offered> {
  const agent = test.as ?? as.agent
  const seat = await findSeat(test, () => seats.find(agent, model))
  if (!('run' in seat)) return { test, seat: { ...seat, model: model ?? '' } }
  const offer = await parts.offers.whole(asAgent(caller, { agent }))
  const unknown = findUnknownTools([{ ...test, expect: { ...test.expect, not: [] } }], {
    isKnown: (name) => offer.find(name) !== undefined,
    names: () => offer.tools.map(({ name }) => name),
  })
  if (unknown.length === 0) return { test, seat, offer }
  const problems = unknown.map(({ path, message }) => ({
    path: path.replace(/^\/evals\/0(?:\/expect)?/, ''),
    message,
  }))
  const { model: name } = seat
  return { test, seat: { ...(agent !== undefined && { agent }), model: name, problems } }
}

async function findSeat(
  { as }: ToolEval,
  find: () => Promise<EvalSeat>,
): Promise<EvalSeat | Pick<Extract<EvalJob['seat'], { problems: unknown }>, 'problems'>> {
  try {
    return await find()
  } catch (error) {
    // The eval names its agent itself; otherwise the request is wrong.
    if (as === undefined || !isToolError(error)) throw error
    return { problems: [{ path: '/as', message: error.message }] }
  }
}
