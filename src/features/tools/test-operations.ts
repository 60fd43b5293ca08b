import { z } from 'zod'
import { asAgent } from '../../core/kernel/caller.ts'
import type { Caller } from '../../core/kernel/call.ts'
import { shortText } from '../../core/operations/fields.ts'
import { operationsOf } from '../../core/operations/operation.ts'
import { compileGlob } from '../../core/kernel/text/glob.ts'
import { toTestPorts } from '../../core/pipeline/shielded/test-ports.ts'
import { decide } from '../../core/policy/decide.ts'
import type { RegisteredTool } from '../../core/registry.ts'
import { runTests, type TestReport } from '../../core/trials/run-tests.ts'
import type { ToolParts } from './parts.ts'

const define = operationsOf<ToolParts>('Tools')
const needs = 'tools.call'

/** `GET /tool-tests`. */
export const listToolTests = define({
  http: 'GET /api/v1/tool-tests',
  summary: 'List the tests of tools',
  description: 'Those in the definitions of tools that this caller may call, by tool.',
  needs,
  agents: 'own',
  query: z.strictObject({
    pattern: shortText('Only tools that match, such as `billing.*`').optional(),
    agent: shortText('As this agent').optional(),
  }),
  answer: {
    description: 'The tools that have tests',
    schema: z.object({
      items: z.array(z.object({ tool: z.string(), labels: z.array(z.string()) })),
    }),
  },
  async run({ pattern, agent }, { caller, parts }) {
    const scope = await parts.scopeFor(asAgent(caller, { agent }))
    const glob = pattern === undefined ? undefined : compileGlob(pattern)
    const items = parts.registry.list(scope.tenant).flatMap((entry) => {
      const { contract } = entry
      const tests = contract.tests ?? []
      if (tests.length === 0 || decide(entry, scope).verdict === 'deny') return []
      if (glob !== undefined && !glob(contract.name)) return []
      return [{ tool: contract.name, labels: tests.map(({ label }) => label) }]
    })
    return { items }
  },
})

const testReport: z.ZodType<TestReport> = z
  .object({
    tool: z.string(),
    passed: z.int(),
    failed: z.int(),
    results: z
      .array(
        z.object({
          label: z.string(),
          status: z.enum(['passed', 'failed']),
          durationMs: z.number(),
          callId: z.string().optional().meta({ description: 'The call on record' }),
          problems: z
            .array(z.object({ path: z.string(), message: z.string() }))
            .readonly()
            .meta({ description: 'Why it failed, by place in the result' }),
        }),
      )
      .readonly(),
  })
  .meta({ id: 'TestReport' })

/** `POST /tools/{name}/tests/run`. */
export const runToolTests = define({
  http: 'POST /api/v1/tools/{name}/tests/run',
  summary: "Run a tool's tests",
  description:
    'The tests in its definition. Nothing it does through its context has an effect: nested calls with an effect are answered by `given`, or refused. Each is recorded as a call with `purpose: test`, and left out of usage and limits.',
  needs,
  agents: 'own',
  params: { name: 'Canonical or wire name' },
  unknownAs: 'tool_not_found',
  body: z
    .strictObject({
      agent: shortText('As this agent').optional(),
      labels: z
        .array(z.string().max(200))
        .max(200)
        .optional()
        .meta({ description: 'Only the tests with these labels' }),
    })
    .meta({ id: 'TestRunRequest' }),
  isBodyOptional: true,
  answer: { description: 'The results', schema: testReport },
  async run({ name, agent, labels }, { caller, parts }) {
    const as = asAgent(caller, { agent })
    const entry = await findCallable(name, as, parts)
    const { tests = [] } = entry.contract
    const wanted =
      labels === undefined ? tests : tests.filter(({ label }) => labels.includes(label))
    const tool = { contract: { ...entry.contract, tests: wanted } }
    return runTests(tool, toTestPorts({ entry, caller: as }, parts.ports))
  },
})

async function findCallable(
  name: string,
  caller: Caller,
  { registry, scopeFor, refusals }: ToolParts,
): Promise<RegisteredTool> {
  const scope = await scopeFor(caller)
  const entry = registry.find(name, scope.tenant)
  const decision = entry && decide(entry, scope)
  if (entry !== undefined && decision?.verdict !== 'deny') return entry
  throw await refusals.refuse(caller, name, decision)
}
