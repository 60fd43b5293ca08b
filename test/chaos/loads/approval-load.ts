import { type Load, type LoadContext, look, perform, toEntry } from './load.ts'

interface PendingApproval {
  id: string
  callId: string
  tool: string
  input: { operation: string }
}

/** Calls that wait for a person, and people who decide them: twice at times, and at two nodes at once. */
export const approvalLoad: Load = {
  name: 'approval',
  weight: 2,
  needs: ['/api/v1/approvals', '/api/v1/approvals/{id}/decision'],
  async turn(context) {
    const { random } = context
    const operation = context.nextOperation()
    const durations = { beforeMs: random.between(0, 300), afterMs: random.between(0, 300) }
    const key = random.chance(0.5) ? `key-${operation}` : undefined
    const wanted = { tool: 'chaos.careful', input: { operation, ...durations }, key }
    const known = await perform(wanted, context)
    if (known !== undefined && random.chance(0.3)) {
      await look({ ...wanted, callId: known.callId }, context)
    }
  },
  async attend(context) {
    const reply = await context.client.send({ path: '/api/v1/approvals?status=pending' })
    if (reply.http !== 200) return
    const { items } = reply.body as { items: PendingApproval[] }
    for (const approval of items) await decide(approval, context)
  },
}

async function decide(approval: PendingApproval, context: LoadContext): Promise<void> {
  const { random, client, ledger } = context
  const send = async (decision: 'approve' | 'reject') => {
    const path = `/api/v1/approvals/${approval.id}/decision`
    const reply = await client.send({ path, json: { decision, reason: 'So it was decided' } })
    const { tool, callId } = approval
    const { result, ...entry } = toEntry(reply)
    // What is answered about the approval is not the call's result; its code is what matters here.
    const code = result?.code
    const about = { tool, callId, operation: approval.input.operation, decision }
    ledger.enter({ request: 'decide', ...about, ...entry, result: { code } })
  }
  const decision = random.chance(0.75) ? 'approve' : 'reject'
  const other = random.chance(0.5) ? decision : 'reject'
  await Promise.all([send(decision), random.chance(0.2) && send(other)])
}
