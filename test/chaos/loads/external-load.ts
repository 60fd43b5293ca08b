import { readFile } from 'node:fs/promises'
import { type Load, type LoadContext, look, perform, toEntry } from './load.ts'

interface HandedOver {
  callId: string
  operation: string
  url: string
  token: string
}

/** Calls that an outside worker ends: with its token, sometimes twice, sometimes with the wrong one. */
export const externalLoad: Load = {
  name: 'external',
  weight: 2,
  needs: ['/api/v1/calls/{id}/complete'],
  async turn(context) {
    const { random } = context
    const operation = context.nextOperation()
    const key = random.chance(0.5) ? `key-${operation}` : undefined
    const wanted = { tool: 'chaos.hand-over', input: { operation }, key }
    const known = await perform(wanted, context)
    if (known !== undefined && random.chance(0.3)) {
      await look({ ...wanted, callId: known.callId }, context)
    }
  },
  async attend(context) {
    const done = new Set(
      context.ledger.answers
        .filter(({ request, http }) => request === 'complete' && (http === 202 || http === 409))
        .map(({ callId }) => callId),
    )
    const text = await readFile(context.handedOver, 'utf8').catch(() => '')
    const work = text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as HandedOver)
    for (const item of work.filter(({ callId }) => !done.has(callId))) await complete(item, context)
  },
}

async function complete(work: HandedOver, { random, client, ledger }: LoadContext): Promise<void> {
  const { callId, operation, token } = work
  const response = { operation, by: 'the worker' }
  // The node that handed it over may be gone: any other takes it.
  const { pathname } = new URL(work.url)
  const send = async () => {
    const json = { status: 'completed', response }
    const reply = await client.send({ path: pathname, json, token })
    const { result, ...entry } = toEntry(reply)
    const about = { tool: 'chaos.hand-over', callId, operation, response }
    ledger.enter({ request: 'complete', ...about, ...entry, result: { code: result?.code } })
  }
  await Promise.all([send(), random.chance(0.3) && send()])
}
