import type { CallRecord } from '../../../core/kernel/call.ts'

export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled'

/** Fields of every answer about a task. */
export interface TaskFields {
  taskId: string
  status: TaskStatus
  statusMessage?: string
  createdAt: string
  lastUpdatedAt: string
  /** Null: it is kept as long as calls are. */
  ttlMs: number | null
  pollIntervalMs: number
}

/** People take their time; machines do not. */
const pollMs = { person: 2_000, machine: 500 }

/** A call in the words of the tasks extension. */
export function toTask(call: CallRecord, status: TaskStatus, statusMessage?: string): TaskFields {
  return {
    taskId: call.callId,
    status,
    ...(statusMessage !== undefined && { statusMessage }),
    createdAt: call.requestedAt,
    lastUpdatedAt: call.settledAt ?? call.startedAt ?? call.requestedAt,
    ttlMs: null,
    pollIntervalMs: call.waitingFor === undefined ? pollMs.machine : pollMs.person,
  }
}
