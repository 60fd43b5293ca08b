import { askOperation } from '../../../features/ask-operation.ts'
import type { McpRequest } from '../mcp-shared.ts'
import { toTask, type TaskFields } from './to-task.ts'

/** The answer to a call whose result is fetched later. */
export interface CreatedTask extends TaskFields {
  resultType: 'task'
  [key: string]: unknown
}

/** A stored call as the task that a client comes back for. */
export async function createdTask(
  { shared, requestContext }: Pick<McpRequest, 'shared' | 'requestContext'>,
  callId: string,
): Promise<CreatedTask> {
  const asking = { api: shared.api, caller: requestContext.caller }
  const record = await askOperation(asking, 'findCall', { id: callId })
  const status = record.waitingFor === 'approval' ? 'input_required' : 'working'
  return { resultType: 'task', ...toTask(record, status) }
}
