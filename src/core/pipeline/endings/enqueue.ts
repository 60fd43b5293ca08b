import type { CallResult } from '../../kernel/call.ts'
import type { Admission } from '../admit.ts'
import { prepareCall } from '../context/prepare-call.ts'
import { holdUploads } from '../input-files.ts'
import type { PipelinePorts } from '../ports.ts'
import { toCallStart } from '../record/call-facts.ts'
import { toWorkOrder } from '../record/work-order.ts'
import { joinEarlier } from './join-earlier.ts'
import { reportId } from './report-id.ts'

/**
 * Stores the call with its job in one transaction; any node with capacity runs it and takes its
 * permit then. It is prepared here once, so that a call that can't run is refused now.
 */
export async function enqueue(admission: Admission, ports: PipelinePorts): Promise<CallResult> {
  const { request } = admission
  await request.step?.barrier()
  await holdUploads(admission, ports)
  const { facts, control } = await prepareCall(admission, { runsAfterAnswer: true }, ports)
  control.release()
  ports.work.checkRoom(facts.caller.tenant)
  const work = toWorkOrder(facts.contract, request)
  await ports.work.prepare(work.queue)
  const opened = await ports.recorder.open(toCallStart(facts, { status: 'queued', work }))
  if ('kind' in opened) return joinEarlier(opened, { facts, request }, ports)
  reportId(request, facts.callId)
  const { contract, settings } = facts
  const isOwnKind =
    (settings.execution ?? contract.execution) === 'background' && request.startAt === undefined
  return { callId: facts.callId, status: isOwnKind ? 'running' : 'queued' }
}
