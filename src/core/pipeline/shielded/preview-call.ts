import type { CallResult, Decision } from '../../kernel/call.ts'
import { ToolError } from '../../kernel/errors.ts'
import { createId } from '../../kernel/ids.ts'
import type { ToolBehaviour, ToolContract } from '../../kernel/tool.ts'
import type { BoundPreview, PreviewChange, ToolPreview } from '../../kernel/trial/tool-preview.ts'
import { bindPreview } from '../../preview/bind-preview.ts'
import { emptyRedactor } from '../../secrets/redact.ts'
import { newCall } from '../admission-rules.ts'
import { admit, type Admission } from '../admit.ts'
import { takePermit } from '../call-permit.ts'
import type { ChainedRequest } from '../chained-request.ts'
import { type PreparedCall, prepareCall } from '../context/prepare-call.ts'
import { recordAndRun, withPermit } from '../endings/run.ts'
import { toJsonValue } from '../output/to-json-value.ts'
import type { PipelinePorts } from '../ports.ts'
import { presentError, toCallError } from '../record/call-error.ts'
import type { Shield, ShieldedEffect } from './shield.ts'

/**
 * Shows what a call would do. The preview is a call of its own on record, marked as such, which only
 * reads: it needs no approval, and counts against the limits of the tool. Never rejects.
 */
export async function previewCall(
  given: ChainedRequest,
  ports: PipelinePorts,
): Promise<CallResult> {
  const leave = ports.running.enter()
  try {
    const admission = await admit({ ...given, shield: { purpose: 'preview' } }, newCall, ports)
    if (admission.entry.tool.preview === undefined) throw withoutPreview(admission.entry.contract)
    return await runPreview(admission, { isCounted: true }, ports)
  } catch (error) {
    return { status: 'failed', error: presentError(toCallError(error), emptyRedactor) }
  } finally {
    leave()
  }
}

/** How a preview runs. */
interface PreviewRun {
  /** It takes a permit of its own; otherwise it is a part of the call that it is made for. */
  isCounted: boolean
  /** The call that it is made for. */
  parentId?: string
  timeoutMs?: number
}

/** Runs the preview of an admitted call. The result is that of a call whose output is the preview. */
export async function runPreview(
  admission: Admission,
  run: PreviewRun,
  ports: PipelinePorts,
): Promise<CallResult> {
  const preview = toPreviewAdmission(admission, run, ports)
  const { request } = preview
  const entering = run.isCounted ? takePermit(preview, request, ports) : undefined
  const permit = entering && (await entering)
  try {
    const prepared = await prepareCall(withPermit(preview, permit), now, ports)
    const behaviour = { ...prepared.behaviour, execute: toPreviewing(prepared, preview) }
    return await recordAndRun({ ...prepared, behaviour }, { request, permit }, ports)
  } finally {
    permit?.leave()
  }
}

const now = { runsAfterAnswer: false }

/** The preview in a result of `runPreview`. */
export function previewIn({ status, output }: CallResult): BoundPreview | undefined {
  return status === 'completed' ? (output as unknown as BoundPreview) : undefined
}

/** The most JSON that `bindPreview` leaves, so that it is never cut in the middle. */
const maxOutputBytes = 262_144

/** The same call as a read of its own. */
function toPreviewAdmission(
  { facts, request, ...more }: Admission,
  { parentId, timeoutMs = facts.timeoutMs }: PreviewRun,
  ports: Pick<PipelinePorts, 'now'>,
): Admission {
  const contract: ToolContract = {
    ...facts.contract,
    effect: 'read',
    idempotent: true,
    execution: 'inline',
    outputSchema: undefined,
    cost: 0,
    retries: 0,
    maxOutputBytes,
  }
  const above = parentId ?? facts.parentId
  const shield: Shield = { ...request.shield, purpose: 'preview' }
  const { stored: _stored, groupId: _group, idempotencyKey: _key, ...asked } = request
  return {
    ...more,
    request: {
      ...asked,
      shield,
      mayWait: false,
      heldBy: request.heldBy ?? contract.name,
      rootId: request.rootId ?? parentId,
    },
    facts: {
      ...facts,
      contract,
      callId: createId('call'),
      // Where the call is already redacted for its record, its secrets are found in the original.
      input: facts.rawInput ?? facts.input,
      rawInput: undefined,
      purpose: 'preview',
      decision: allowed(facts.decision),
      parentId: above,
      position: undefined,
      askedDigest: undefined,
      groupId: undefined,
      idempotencyKey: undefined,
      preparedInput: undefined,
      timeoutMs: Math.min(timeoutMs, facts.timeoutMs),
      requestedAt: ports.now(),
    },
  }
}

/** Where a call needs approval, its preview does not. */
function allowed(decision: Decision): Decision {
  if (decision.verdict === 'allow') return decision
  return { verdict: 'allow', layer: 'preview', rule: 'a preview has no effects', reasons: [] }
}

function toPreviewing(
  { redactor, behaviour }: PreparedCall,
  { entry, request, facts }: Admission,
): ToolBehaviour['execute'] {
  const { preview } = entry.tool
  if (preview === undefined) throw withoutPreview(facts.contract)
  return async (input, context, steps) => {
    const made =
      preview === 'calls'
        ? await previewCalls(() => behaviour.execute(input, context, steps), request.shield)
        : await preview(input, context)
    const { value } = toJsonValue(made)
    return bindPreview(redactor.isEmpty ? value : redactor.redactValue(value))
  }
}

/** Runs a tool that calls others, and puts the previews of its calls together. */
async function previewCalls(run: () => unknown, shield: Shield | undefined): Promise<ToolPreview> {
  const effects: ShieldedEffect[] = []
  const warnings: string[] = []
  // Set on the shield that the context of this call has: its nested calls report here.
  if (shield !== undefined) shield.onEffect = (effect) => void effects.push(effect)
  try {
    await run()
  } catch (error) {
    // Later steps may need what an earlier one would have returned.
    if (effects.length === 0) throw error
    warnings.push(`The rest is not known: ${toCallError(error).message}`)
  }
  return joinEffects(effects, warnings)
}

function joinEffects(effects: readonly ShieldedEffect[], more: readonly string[]): ToolPreview {
  const changes = effects.flatMap(({ tool, input, preview }): readonly PreviewChange[] =>
    preview === undefined ? [{ target: tool, after: input }] : preview.changes,
  )
  const count = effects.reduce(
    (sum, { preview }) =>
      sum + (preview === undefined ? 1 : (preview.count ?? preview.changes.length)),
    0,
  )
  const warnings = effects.flatMap(({ tool, preview, problem }) =>
    preview === undefined
      ? [`${tool} can't be previewed: ${problem ?? 'it has no preview'}`]
      : (preview.warnings ?? []),
  )
  const summary =
    effects.length === 0
      ? 'Changes nothing.'
      : effects.map(({ tool, preview }) => preview?.summary ?? `Calls ${tool}.`).join(' ')
  return { summary, changes, count, warnings: [...warnings, ...more] }
}

function withoutPreview({ name }: Pick<ToolContract, 'name'>): ToolError {
  return new ToolError('invalid_request', `${name} has no preview`, {
    fix: 'Call it without a preview, or give it one: preview(input, ctx) in its definition.',
  })
}
