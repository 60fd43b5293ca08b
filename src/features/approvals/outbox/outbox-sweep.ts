import type { Approval, OutboxMessage } from '../../../core/approvals/approval.ts'
import type { ApprovalStore } from '../../../core/approval-store.ts'
import type { EventLog } from '../../../core/events/event-log.ts'
import { postOutboxMessage, type OutboundWebhook } from './post-webhook.ts'
import type { Sweep } from '../../../core/work-ports.ts'

interface OutboxOptions {
  /** The database's time. */
  now(): number
  approvals: Pick<ApprovalStore, 'find' | 'claimOutbox' | 'endOutboxMessage' | 'delayOutboxMessage'>
  events: Pick<EventLog, 'record'>
  webhook: OutboundWebhook
  /** The public address of this server. */
  publicUrl(): string
}

const atOnce = 20
/** Longer than one attempt can take; the messages of a node that dies go to the next. */
const leaseMs = 30_000
const firstRetryMs = 2_000
const longestRetryMs = 3_600_000
const giveUpAfterMs = 86_400_000

/** Delivers what is due. At least once: a crash between the answer and its note sends it again, under the same id. */
export function createOutboxSweep(options: OutboxOptions): Sweep {
  return {
    name: 'approval notices',
    everyMs: 1000,
    async run() {
      const due = await options.approvals.claimOutbox(atOnce, leaseMs)
      await Promise.all(due.map((notice) => deliver(notice, options)))
      return due.length < atOnce ? 0 : due.length
    },
  }
}

async function deliver(notice: OutboxMessage, options: OutboxOptions): Promise<void> {
  const { approvals, webhook } = options
  const approval = await approvals.find(notice.tenant, notice.approvalId)
  // Decided before anybody outside had to know.
  if (approval?.status !== 'pending') return approvals.endOutboxMessage(notice)
  try {
    const body = toBody(approval, options.publicUrl())
    await postOutboxMessage(webhook, { id: approval.id, at: options.now(), body })
    await approvals.endOutboxMessage(notice)
  } catch (error) {
    await tryLater(notice, error, options)
  }
}

/** The approval as people see it, without secrets, and where to read and decide. */
function toBody(approval: Approval, publicUrl: string): unknown {
  const api = `${publicUrl}/api/v1`
  return {
    type: 'approval.requested',
    timestamp: approval.createdAt,
    data: {
      approval,
      links: {
        approval: `${api}/approvals/${approval.id}`,
        decision: `${api}/approvals/${approval.id}/decision`,
        call: `${api}/calls/${approval.callId}`,
      },
    },
  }
}

async function tryLater(
  notice: OutboxMessage,
  error: unknown,
  options: OutboxOptions,
): Promise<void> {
  const { approvals, events, webhook } = options
  const now = options.now()
  if (now - notice.createdAt < giveUpAfterMs) {
    return approvals.delayOutboxMessage(notice, now + retryDelayMs(notice.tries))
  }
  const reason = error instanceof Error ? error.message : String(error)
  const { approvalId, callId, tries, tenant } = notice
  const host = new URL(webhook.url).host
  const data = { approvalId, callId, tries, host, reason }
  await events.record([
    {
      tenant,
      principal: { kind: 'system', id: 'toolcrib' },
      events: [{ type: 'approval.notice_failed', at: now, data }],
    },
  ])
  await approvals.endOutboxMessage(notice)
}

/** Doubles from two seconds to an hour, with jitter. */
function retryDelayMs(tries: number): number {
  const longest = Math.min(longestRetryMs, firstRetryMs * 2 ** (tries - 1))
  return longest / 2 + (Math.random() * longest) / 2
}
