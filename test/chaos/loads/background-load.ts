import { type Load, type LoadContext, look, type Operation, perform, toEntry } from './load.ts'

/** Work that runs after its answer: may it be repeated or not, some of it cancelled, some failing at first. */
export const backgroundLoad: Load = {
  name: 'background',
  weight: 4,
  needs: ['/api/v1/tools/{name}/calls', '/api/v1/calls/{id}'],
  async turn(context) {
    // Many at once, so that some are queued and not yet begun when something happens.
    const calls = context.random.chance(0.08) ? 12 : 1
    await Promise.all(Array.from({ length: calls }, () => callOne(context)))
  },
}

async function callOne(context: LoadContext): Promise<void> {
  const { random } = context
  const operation = context.nextOperation()
  const tool = random.pick(['chaos.job', 'chaos.sync', 'chaos.report'] as const)
  const isSlow = random.chance(0.15)
  const durations = {
    beforeMs: random.between(0, isSlow ? 3000 : 50),
    afterMs: random.between(0, isSlow ? 3000 : 50),
  }
  const more: { failsFirst?: boolean } =
    tool === 'chaos.report' ? { failsFirst: random.chance(0.3) } : {}
  const key = random.chance(0.5) ? `key-${operation}` : undefined
  const wanted = { tool, input: { operation, ...durations, ...more }, key }
  const known = await perform(wanted, context)
  if (known === undefined) return
  if (random.chance(0.08)) await cancel({ ...wanted, callId: known.callId }, context)
  if (random.chance(0.5)) await look({ ...wanted, callId: known.callId }, context)
  if (key !== undefined && random.chance(0.3)) await perform(wanted, context)
}

async function cancel(
  { tool, input, callId }: Operation & { callId: string },
  { client, ledger }: LoadContext,
): Promise<void> {
  const reply = await client.send({ path: `/api/v1/calls/${callId}/cancel`, json: {} })
  ledger.enter({ request: 'cancel', tool, operation: input.operation, callId, ...toEntry(reply) })
}
