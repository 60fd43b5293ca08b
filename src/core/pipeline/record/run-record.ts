import type { WorkOrder } from '../../work-ports.ts'
import type { CallWriter } from './call-recorder.ts'

/** How a run is recorded. */
export interface RunRecord {
  writer: CallWriter
  /** Wait for the record of a read, too. Calls with an effect always wait. */
  durable?: boolean
  /** For a call that was taken from the queue. */
  queued?: { attempt: number; work: WorkOrder; failures: number }
}
