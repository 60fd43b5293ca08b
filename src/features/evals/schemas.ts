import { z } from 'zod'
import { callError, jsonValue, shortText } from '../../core/operations/fields.ts'
import type { EvalReport } from './eval-report.ts'

export const evalQuery = z.strictObject({
  pattern: shortText(
    'Only tools and agents that match, such as `billing.*` or `agent:support`',
  ).optional(),
  agent: shortText('As this agent, and of agents only its own').optional(),
})

export const evalList = z.object({
  items: z.array(
    z.object({
      name: z.string().meta({ description: 'The tool, or `agent:<slug>`' }),
      labels: z.array(z.string()),
    }),
  ),
})

export const evalRequest = z
  .strictObject({
    name: shortText('The tool, or `agent:<slug>`, whose evals to run'),
    labels: z
      .array(z.string().max(200))
      .max(200)
      .optional()
      .meta({ description: 'Only the evals with these labels' }),
    agent: shortText('The agent that gets the requests of evals that name none').optional(),
    models: z.array(shortText('`demo`, or `<provider>/<model>`')).min(1).max(5).optional().meta({
      description:
        "Models in place of the agent's own, one after the other. Needs `agents.manage`, because people choose the models of agents",
    }),
    runs: z.int().min(1).max(20).default(1).meta({ description: 'Of each eval with each model' }),
  })
  .meta({ id: 'EvalRequest' })

const share = z.number().min(0).max(1)

const evalRun = z.object({
  passed: z.boolean(),
  problems: z
    .array(z.object({ path: z.string(), message: z.string() }))
    .readonly()
    .meta({ description: 'The expectations that it did not meet, by place in `expect`' }),
  calls: z
    .array(
      z.object({
        tool: z.string(),
        input: jsonValue,
        status: z.enum(['completed', 'failed', 'denied', 'cancelled']),
        error: callError.optional(),
      }),
    )
    .readonly()
    .meta({ description: 'The calls that the model asked for, in order; at most 50' }),
  answer: z.string().meta({ description: 'At most 2000 characters' }),
  durationMs: z.number(),
})

const evalResult = z
  .object({
    label: z.string(),
    agent: z.string().optional(),
    model: z.string(),
    status: z
      .enum(['passed', 'scored', 'failed'])
      .meta({ description: '`scored`: some runs passed' }),
    runs: z.int(),
    passed: z.int(),
    rate: share,
    low: share.meta({ description: 'The lower bound of the rate (Wilson, 95 %)' }),
    high: share.meta({ description: 'The upper bound' }),
    usage: z.object({
      modelCalls: z.int(),
      cutOffCalls: z.int().optional(),
      inputTokens: z.number(),
      outputTokens: z.number(),
      cachedTokens: z.number(),
      cost: z.number(),
    }),
    outcomes: z.array(evalRun).readonly(),
  })
  .meta({ id: 'EvalResult' })

export const evalReport = z
  .object({
    name: z.string(),
    passed: z.int(),
    scored: z.int(),
    failed: z.int(),
    results: z.array(evalResult).readonly(),
    similar: z
      .array(z.object({ tool: z.string(), to: z.array(z.string()).readonly() }))
      .readonly()
      .meta({
        description:
          'Tools expected by evals that did not pass, and others that the search ranks near them for their description',
      }),
  })
  .meta({ id: 'EvalReport' }) as z.ZodType<EvalReport>
