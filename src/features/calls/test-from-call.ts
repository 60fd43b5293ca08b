import { z } from 'zod'
import { ToolError } from '../../core/kernel/errors.ts'
import { isSettled } from '../../core/call-state.ts'
import { jsonValue } from '../../core/operations/fields.ts'
import { operationsOf } from '../../core/operations/operation.ts'
import { toTest } from '../../core/trials/to-test.ts'
import { findVisible } from './find-call.ts'
import type { CallOperationParts } from './parts.ts'

const define = operationsOf<CallOperationParts>('Calls')

const recorded = z
  .object({
    tool: z.string(),
    test: z.object({
      label: z.string(),
      input: jsonValue,
      expect: z
        .record(z.string(), jsonValue)
        .meta({ description: 'As in the definition of a tool' }),
      given: z.record(z.string(), jsonValue).optional(),
    }),
    missing: z.array(z.string()).meta({
      description: 'Places of the input whose values were secret: they have to be filled in',
    }),
  })
  .meta({ id: 'RecordedTest' })

/** `GET /calls/{id}/test`. */
export const testFromCall = define({
  http: 'GET /api/v1/calls/{id}/test',
  summary: 'Make a test of a call',
  description:
    'For the `tests` of a definition: the same input, the output generalised by type, and the outputs of nested calls with an effect given. Its label and input also make an example. Secrets are left out.',
  needs: 'signed-in',
  agents: 'own',
  params: { id: 'The id of the call' },
  answer: { description: 'The test', schema: recorded },
  refusals: { 409: 'The call has not settled' },
  async run({ id }, { caller, parts }) {
    const call = await findVisible(parts, { caller, id })
    if (!isSettled(call.status)) {
      throw new ToolError(
        'conflict',
        `${call.callId} is ${call.status}; its result is not known yet`,
      )
    }
    const children = await parts.calls.listChildren(call.tenant, call.callId)
    const effects = children.filter(
      ({ tool }) => parts.registry.find(tool, call.tenant)?.contract.effect !== 'read',
    )
    const { test, missing } = toTest(call, effects)
    const { expect, ...rest } = test
    return { tool: call.tool, test: { ...rest, expect: { ...expect } as never }, missing }
  },
})
