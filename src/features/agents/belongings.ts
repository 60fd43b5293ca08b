import type { Caller } from '../../core/kernel/call.ts'
import type { Stores } from '../stores.ts'
import { readAll } from '../../core/kernel/page.ts'

type Belongings = Pick<
  Stores,
  'now' | 'secrets' | 'approvals' | 'events' | 'keys' | 'conversations'
>

const pageLimit = 500

/**
 * Removes everything tied to the name of a deleted agent, so that a new agent of that name inherits
 * nothing: secrets, remembered approvals, keys and turns.
 */
export async function removeBelongings(
  store: Belongings,
  caller: Caller,
  slug: string,
): Promise<void> {
  await revokeKeys(store, caller, slug)
  await removeSecrets(store, caller, slug)
  await revokeApprovals(store, caller, slug)
  await stopTurns(store, caller, slug)
}

async function revokeKeys(
  { keys }: Belongings,
  { tenant, principal }: Caller,
  slug: string,
): Promise<void> {
  const list = (after?: string) => keys.list(tenant, { agent: slug, after, limit: pageLimit })
  for await (const { id, revokedAt } of readAll(list)) {
    if (revokedAt === undefined) await keys.revoke(tenant, id, principal)
  }
}

async function removeSecrets(
  { secrets }: Belongings,
  { tenant, principal: by }: Caller,
  slug: string,
): Promise<void> {
  const own = (await secrets.list(tenant)).filter(({ agent }) => agent === slug)
  for (const { name } of own) await secrets.delete({ tenant, agent: slug, by }, name)
}

/** Approvals of an agent's calls do not apply to a new agent of the same name. */
async function revokeApprovals(
  { approvals, events, now }: Belongings,
  { tenant, principal }: Caller,
  slug: string,
): Promise<void> {
  const at = now()
  const rules = await approvals.listRules(tenant, { at })
  for (const { id, tool, approvalId } of rules.filter(({ agent }) => agent === slug)) {
    if ((await approvals.revokeRule(tenant, id, at)) === undefined) continue
    const event = {
      type: 'approval.rule_revoked',
      at,
      data: { ruleId: id, tool, approvalId },
    } as const
    await events.record([{ tenant, principal, events: [event] }])
  }
}

/** Including the approvals they wait for, which nobody could decide any more. */
async function stopTurns(
  { conversations }: Belongings,
  { tenant }: Caller,
  slug: string,
): Promise<void> {
  for (const status of ['queued', 'running', 'waiting'] as const) {
    const list = (after?: string) =>
      conversations.listTurns(tenant, {
        agent: slug,
        status,
        limit: pageLimit,
        ...(after !== undefined && { after }),
      })
    for await (const { id } of readAll(list)) await conversations.requestCancel(tenant, id)
  }
}
