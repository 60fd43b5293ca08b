import type { CallResult } from '../../kernel/call.ts'
import type { Permit } from '../../limits/permit.ts'
import type { Admission } from '../admit.ts'
import { runIn, takePermit } from '../call-permit.ts'
import { type PreparedCall, prepareCall } from '../context/prepare-call.ts'
import { holdUploads } from '../input-files.ts'
import type { PipelinePorts } from '../ports.ts'
import { toCallStart } from '../record/call-facts.ts'
import { runCall } from '../run/run-call.ts'
import { joinEarlier } from './join-earlier.ts'
import { reportId } from './report-id.ts'

const now = { runsAfterAnswer: false }

/** Runs the call while its caller waits. */
export async function run(admission: Admission, ports: PipelinePorts): Promise<CallResult> {
  const holding = holdUploads(admission, ports)
  if (holding !== undefined) await holding
  // A test is not use of the tool, so it takes nothing of its limits.
  const isTest = admission.request.shield?.purpose === 'test'
  const entering = isTest ? undefined : takePermit(admission, admission.request, ports)
  const permit = entering && (await entering)
  try {
    const call = await prepareCall(withPermit(admission, permit), now, ports)
    return await recordAndRun(call, { request: admission.request, permit }, ports)
  } finally {
    permit?.leave()
  }
}

/** Calls made by this one share the counts that its permit holds. */
export function withPermit(admission: Admission, permit: Permit | undefined): Admission {
  if (permit === undefined) return admission
  return { ...admission, request: { ...admission.request, held: permit.held } }
}

/**
 * Calls with an effect, a key or a group are on disk before they run. Plain reads are written
 * together with their result.
 */
export async function recordAndRun(
  call: PreparedCall,
  { request, permit }: Pick<Admission, 'request'> & { permit: Permit | undefined },
  ports: PipelinePorts,
): Promise<CallResult> {
  const { facts } = call
  const start = toCallStart(facts, { status: 'running' })
  const mustBeOnDisk =
    facts.contract.effect !== 'read' ||
    facts.idempotencyKey !== undefined ||
    facts.groupId !== undefined
  try {
    if (!mustBeOnDisk) {
      const busy = ports.recorder.ready()
      if (busy !== undefined) await busy
      const writer = ports.recorder.openLater(start)
      reportId(request, facts.callId)
      return await runIn(permit, call, () =>
        runCall(call, { writer, durable: request.durable === true }, ports),
      )
    }
    if (request.step !== undefined) await request.step.barrier()
    const opened = await ports.recorder.open(start)
    if ('kind' in opened) return await joinEarlier(opened, { facts, request }, ports)
    reportId(request, facts.callId)
    return await runIn(permit, call, () => runCall(call, { writer: opened }, ports))
  } finally {
    call.control.release()
  }
}
