import type { Sandbox } from '../../core/host/sandbox.ts'
import type { Store } from '../../core/ports.ts'
import { operationsOf } from '../../core/operations/operation.ts'
import { storeTime } from '../../core/kernel/ids.ts'
import { sandboxState } from './schemas.ts'

/** The dependencies of the operations on the sandbox. */
export interface SandboxParts {
  sandbox: Pick<Sandbox, 'state' | 'check'>
  events: Pick<Store['events'], 'record'>
}

const define = operationsOf<SandboxParts>('Sandbox')

const readSandbox = define({
  http: 'GET /api/v1/sandbox',
  summary: 'Show whether the sandbox holds',
  description:
    'Of the server that answers. Tools that run programs are off until their sandbox has been checked: a program inside tries to get out, in each way listed.',
  needs: 'audit.read',
  agents: 'none',
  answer: { description: 'The last check', schema: sandboxState },
  run: (_input, { parts }) => parts.sandbox.state(),
})

const checkSandbox = define({
  http: 'POST /api/v1/sandbox/check',
  summary: 'Check the sandbox again',
  description: 'After something was installed or changed on the server.',
  needs: 'calls.manage',
  agents: 'none',
  answer: { status: 200, description: 'What was found', schema: sandboxState },
  async run(_input, { caller: { tenant, principal }, parts }) {
    const state = await parts.sandbox.check()
    const { driver, reason } = state
    const data = { driver, state: state.state, ...(reason !== undefined && { reason }) }
    const event = { type: 'sandbox.checked' as const, at: storeTime(), data }
    await parts.events.record([{ tenant, principal, events: [event] }])
    return state
  },
})

/** Everything that can be asked of the sandbox, by library method. */
export const sandboxOperations = { readSandbox, checkSandbox }
