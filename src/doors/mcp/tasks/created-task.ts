import type { McpRequest } from '../mcp-desk.ts'
import { toTask, type TaskFields } from './to-task.ts'

/** The answer to a call whose result is fetched later. */
export interface CreatedTask extends TaskFields {
  resultType: 'task'
  [key: string]: unknown
}

/** A stored call as the task that a client comes back for. */
export async function createdTask(
  { desk, visit }: Pick<McpRequest, 'desk' | 'visit'>,
  callId: string,
): Promise<CreatedTask> {
  const record = await desk.api.findCall(visit.caller, callId)
  const status = record.waitingFor === 'approval' ? 'input_required' : 'working'
  return { resultType: 'task', ...toTask(record, status) }
}
