import { z } from 'zod'
import { isSettled } from '../../core/call-state.ts'
import type { ArtifactPage } from '../../core/kernel/artifact.ts'
import type { CallRecord } from '../../core/kernel/call.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { pageOf } from '../../core/operations/fields.ts'
import { operationsOf } from '../../core/operations/operation.ts'
import { requirePermission } from '../../core/operations/require-permission.ts'
import { findReference } from '../../core/pipeline/output/kept-bytes.ts'
import { cancelCall as cancel } from './cancel-call.ts'
import { findVisible, isOwn, maySeeOrManage, narrow } from './find-call.ts'
import type { CallOperationParts } from './parts.ts'
import { rerunCall } from './rerun-operations.ts'
import { listCallSteps } from './step-operations.ts'
import { testFromCall } from './test-from-call.ts'
import { findUndo, undoCall } from './undo-operations.ts'
import {
  artifactQuery,
  artifactText,
  callQuery,
  callRecord,
  maxPageBytes,
  waitQuery,
} from './schemas.ts'

const define = operationsOf<CallOperationParts>('Calls')
const params = { id: 'The id of the call' }
const asCall = { description: 'The call', schema: callRecord }
/** How long to wait for a call that is being cancelled. */
const cancelWaitMs = 5000

const listCalls = define({
  http: 'GET /api/v1/calls',
  summary: 'List calls',
  description: 'Newest first.',
  needs: 'signed-in',
  agents: 'own',
  query: callQuery,
  answer: { description: 'A page of calls', schema: pageOf(callRecord) },
  async run(query, { caller, parts }) {
    const { session, sessionId = session, parent, under, from, to, brief, ...rest } = query
    const isBrief = brief === 'true'
    const named = { sessionId, parentId: parent, underId: under, fromMs: from, toMs: to, isBrief }
    const page = await parts.calls.list(caller.tenant, narrow(parts, caller, { ...rest, ...named }))
    return isBrief ? { ...page, items: page.items.map(withoutInput) } : page
  },
})

const findCall = define({
  http: 'GET /api/v1/calls/{id}',
  summary: 'Read one call',
  description:
    'With `wait`, the response is sent when the call has settled, or after that many seconds with its current state.',
  needs: 'signed-in',
  agents: 'own',
  params,
  query: waitQuery,
  answer: asCall,
  async run({ id, wait = 0 }, context) {
    const { caller, parts, maxWaitSeconds = wait } = context
    const call = await findVisible(parts, { caller, id })
    if (isSettled(call.status) || wait === 0) return call
    const waitMs = Math.min(wait, maxWaitSeconds) * 1000
    return (await parts.waitForCall(caller.tenant, id, { waitMs, signal: context.signal })) ?? call
  },
})

const cancelCall = define({
  http: 'POST /api/v1/calls/{id}/cancel',
  summary: 'Cancel a call',
  description: 'Aborts the tool if it is running. A settled call does not change.',
  needs: 'signed-in',
  agents: 'own',
  params,
  answer: asCall,
  refusals: { 409: 'The call has settled' },
  async run({ id }, { caller, parts }) {
    const call = await findVisible(parts, { caller, id }, maySeeOrManage)
    // Permission to read other people's calls is not permission to stop them.
    if (!isOwn(caller, call)) requirePermission(caller, 'calls.manage')
    if (isSettled(call.status)) {
      throw new ToolError('already_settled', `${call.callId} is ${call.status} already`)
    }
    await cancel(parts, caller, call)
    return (await parts.waitForCall(caller.tenant, id, { waitMs: cancelWaitMs })) ?? call
  },
})

const readArtifact = define({
  http: 'GET /api/v1/calls/{id}/artifact',
  summary: "Read a call's full output",
  description:
    'Bytes from `offset`, with their place in `Content-Range`. With `Accept: application/json` the page comes as text in JSON, cut between characters, with the offset of the next page.',
  needs: 'signed-in',
  agents: 'own',
  params,
  query: artifactQuery,
  answer: {
    description: 'A page of the artifact',
    schema: z.custom<ArtifactPage>(),
    stream: { types: ['application/json', 'application/octet-stream'], item: artifactText },
    headers: { 'Content-Range': 'The position of this page in the whole' },
  },
  refusals: { 404: 'No such call, or its output was not truncated' },
  async run({ id, offset = 0, limit = 65_536, artifact: wanted }, { caller, parts, origin }) {
    const { artifact, output } = await findVisible(parts, { caller, id })
    const isWhole = wanted === undefined || wanted === artifact?.id
    // Only the artifact that the call names: one left by a superseded run is not its output.
    const meant = isWhole ? artifact : findReference(output, wanted)
    const most = origin === undefined ? Number.MAX_SAFE_INTEGER : maxPageBytes
    const range = { offset, limit: Math.min(Math.max(1, limit), most) }
    const page =
      meant && (await parts.artifacts.read(caller.tenant, id, { ...range, id: meant.id }))
    if (page !== undefined) return page
    throw new ToolError(
      'not_found',
      `${id} has no such artifact: the call contains its whole output`,
    )
  },
})

/** All operations on recorded calls, by library method. */
export const callOperations = {
  listCalls,
  findCall,
  cancelCall,
  rerunCall,
  listCallSteps,
  readArtifact,
  findUndo,
  undoCall,
  testFromCall,
}

function withoutInput({ input: _input, ...call }: CallRecord): CallRecord {
  return call as CallRecord
}
