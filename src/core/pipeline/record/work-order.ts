import type { WorkOrder } from '../../work-ports.ts'
import type { ToolContract } from '../../kernel/tool.ts'

/** The database schema that holds the jobs, beside our own. */
export const jobSchema = 'toolcrib_jobs'

/** The queue of every tool that has no limit of its own. */
export const defaultQueue = 'calls'

/** Priorities that a caller may request; higher runs first. */
export const priorityRange = { min: -10, max: 10 } as const

/**
 * The queue for calls of this tool. A tool with its own limit has its own queue, in which the limit
 * is counted.
 */
export function queueOf({ name, concurrency }: Pick<ToolContract, 'name' | 'concurrency'>): string {
  // Queue names allow fewer characters than tool names.
  return concurrency === undefined ? defaultQueue : `calls/${name.replaceAll(':', '/')}`
}

export function toWorkOrder(
  contract: Pick<ToolContract, 'name' | 'concurrency'>,
  request: { priority?: number; startAt?: number },
): WorkOrder {
  const order: WorkOrder = { queue: queueOf(contract), priority: request.priority ?? 0 }
  if (request.startAt !== undefined) order.startAt = request.startAt
  return order
}
