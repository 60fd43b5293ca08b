import { Tag } from './tag.tsx'
import type { Tone } from './tag.tsx'

const effectTones: Record<string, Tone> = { read: 'plain', write: 'write', destructive: 'deny' }

/** The effect of a tool: read, write or destructive. */
export function EffectTag({ effect }: { effect: string }) {
  return <Tag tone={effectTones[effect] ?? 'plain'}>{effect}</Tag>
}

interface StatusLook {
  tone: Tone
  label: string
  isBusy?: boolean
}

const statusLooks: Record<string, StatusLook> = {
  requested: { tone: 'iris', label: 'Requested', isBusy: true },
  queued: { tone: 'plain', label: 'Queued' },
  running: { tone: 'iris', label: 'Running', isBusy: true },
  waiting: { tone: 'ask', label: 'Waiting' },
  completed: { tone: 'allow', label: 'Completed' },
  failed: { tone: 'deny', label: 'Failed' },
  denied: { tone: 'deny', label: 'Denied' },
  cancelled: { tone: 'plain', label: 'Cancelled' },
  pending: { tone: 'ask', label: 'Waiting' },
  approved: { tone: 'allow', label: 'Approved' },
  rejected: { tone: 'deny', label: 'Rejected' },
  expired: { tone: 'plain', label: 'Expired' },
}

/** The status of a call, an approval or a run. */
export function StatusTag({ status }: { status: string }) {
  const { tone, label, isBusy } = statusLooks[status] ?? { tone: 'plain' as const, label: status }
  return (
    <Tag tone={tone} isBusy={isBusy ?? false}>
      {label}
    </Tag>
  )
}

const decisionTones: Record<string, Tone> = { allow: 'allow', ask: 'ask', deny: 'deny' }
const decisionWords: Record<string, string> = {
  allow: 'Allow',
  ask: 'Ask',
  deny: 'Deny',
  hidden: 'Hidden',
}

/** The verdict of the policy: Allow, Ask, Deny, or Hidden. */
export function DecisionTag({ decision }: { decision: string }) {
  return <Tag tone={decisionTones[decision] ?? 'plain'}>{decisionWords[decision] ?? decision}</Tag>
}
