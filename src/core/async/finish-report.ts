import type { CallError } from '../kernel/call.ts'
import type { ArtifactReference } from '../kernel/artifact-reference.ts'
import type { CompletionReport } from './completion.ts'
import { isToolError, ToolError } from '../kernel/errors.ts'
import { presentError, toCallError } from '../pipeline/record/call-error.ts'
import {
  type FinishedOutput,
  type Finishing,
  finishOutput,
} from '../pipeline/output/finish-output.ts'
import type { PipelinePorts } from '../pipeline/ports.ts'
import type { StoredCall } from '../call-log.ts'
import { toJsonParser } from '../schema/to-parser.ts'
import { fromByteText, type OutsideRedactors, toByteText } from './outside-redactor.ts'

type FinishPorts = Pick<PipelinePorts, 'registry' | 'artifacts' | 'limits'>

/** The default limits for the output of a tool that this node does not know. */
const unknownTool = { effect: 'write', outputSchema: undefined, maxOutputBytes: 51_200 } as const

/**
 * Makes an external report safe to record, by the same steps as a tool's output. Throws when it
 * can't be stored; a report that only violates the tool's schema is a failed call.
 */
export async function finishReport(
  call: StoredCall,
  report: CompletionReport,
  { redactors, ports }: { redactors: OutsideRedactors; ports: FinishPorts },
): Promise<FinishedOutput> {
  if (report.status === 'failed') {
    const { error: message, code = 'tool_failed' } = report
    const error: CallError = { code, message, retryable: false }
    return { error: presentError(error, redactors.text), warnings: [] }
  }
  const { finishing, remarks } = toFinishing(call, { redactors, ports })
  const file = 'file' in report ? await keepFile(report.file, { finishing, redactors }) : noFile
  try {
    const response = 'response' in report ? report.response : { artifact: { ...file.artifact } }
    const finished = await finishOutput(response, finishing)
    const warnings = [...remarks, ...file.warnings, ...finished.warnings]
    return { artifact: file.artifact, ...finished, warnings }
  } catch (error) {
    await dropArtifact(call, file.artifact, ports)
    if (!isToolError(error) || error.code !== 'output_invalid') throw error
    return { error: presentError(toCallError(error), redactors.text), warnings: remarks }
  }
}

/** Removes the artifact of a result that was not recorded. A failure here does no harm. */
export async function dropArtifact(
  { tenant, callId }: Pick<StoredCall, 'tenant' | 'callId'>,
  artifact: ArtifactReference | undefined,
  { artifacts }: Pick<PipelinePorts, 'artifacts'>,
): Promise<void> {
  if (artifact === undefined) return
  await artifacts.remove(tenant, callId, artifact.id).catch(() => undefined)
}

function toFinishing(
  { callId, tenant, tool }: StoredCall,
  { redactors, ports }: { redactors: OutsideRedactors; ports: FinishPorts },
): { finishing: Finishing; remarks: string[] } {
  const entry = ports.registry.find(tool, tenant)
  const contract = entry?.contract ?? unknownTool
  const isChecked = entry !== undefined && !entry.tool.isDynamic
  const { outputSchema } = contract
  const finishing: Finishing = {
    callId,
    tenant,
    contract: isChecked ? contract : { ...contract, outputSchema: undefined },
    parseOutput: outputSchema ? toJsonParser(outputSchema) : (value) => ({ ok: true, value }),
    redactor: redactors.text,
    artifacts: ports.artifacts,
    maxArtifactBytes: ports.limits.maxArtifactBytes,
  }
  if (isChecked) return { finishing, remarks: [] }
  const why =
    entry === undefined ? 'this node does not have the tool' : 'its schema is created for each call'
  return { finishing, remarks: [`The output was not checked against a schema: ${why}`] }
}

interface KeptFile {
  artifact?: ArtifactReference
  warnings: readonly string[]
}

const noFile: KeptFile = { warnings: [] }

const textType = /^text\/|[/+](?:json|xml)\s*(?:;|$)/i

async function keepFile(
  { bytes, mediaType }: { bytes: Uint8Array; mediaType: string },
  { finishing, redactors }: { finishing: Finishing; redactors: OutsideRedactors },
): Promise<KeptFile> {
  if (bytes.length > finishing.maxArtifactBytes) {
    throw new ToolError(
      'body_too_large',
      `The file is larger than the limit of ${finishing.maxArtifactBytes} bytes`,
    )
  }
  const clean = redactFile(bytes, mediaType, redactors)
  const artifact = await finishing.artifacts.put(finishing.tenant, finishing.callId, {
    bytes: clean,
    mediaType,
  })
  if (clean === bytes) return { artifact, warnings: [] }
  return { artifact, warnings: ['The file contained a secret, which was replaced'] }
}

/** The same bytes if they contain no secret, which is nearly always. */
function redactFile(bytes: Uint8Array, mediaType: string, redactors: OutsideRedactors): Uint8Array {
  if (textType.test(mediaType)) {
    const text = new TextDecoder().decode(bytes)
    const clean = redactors.text.redactText(text)
    if (clean !== text) return new TextEncoder().encode(clean)
  }
  const text = toByteText(bytes)
  const clean = redactors.bytes.redactText(text)
  return clean === text ? bytes : fromByteText(clean)
}
