import type { StoredCall } from '../call-log.ts'
import { ToolError } from '../kernel/errors.ts'
import type { RegisteredTool } from '../registry.ts'
import { draftHashOf } from '../tool-version.ts'
import type { PipelinePorts } from './ports.ts'
import { underCurrentRules } from './under-current-rules.ts'

/**
 * The version of the tool that the call began with, or that its parent names; undefined for the
 * current one, also if its source no longer has the earlier one: steps that differ are then noticed
 * by their input. Until it starts, the rules of the current version apply to it as well.
 */
export async function findBegun(
  stored: StoredCall,
  ports: Pick<PipelinePorts, 'findVersion' | 'registry'>,
): Promise<RegisteredTool | undefined> {
  const { tenant, tool, toolVersion, isPinned, isResumable, attempt } = stored
  const isBound = isPinned === true || (isResumable === true && attempt > 0)
  if (!isBound || toolVersion === undefined) return undefined
  const found = await ports.findVersion(tenant, tool, toolVersion)
  const isDraft = draftHashOf(toolVersion) !== undefined
  if (found === undefined) {
    // Under the name of a draft another tool may be published, which nobody meant to call. The
    // results that a rerun keeps are those of its version.
    if (isDraft || stored.rerun?.from !== undefined) throw versionGone(stored)
    return undefined
  }
  if (isDraft || attempt > 0) return found
  return underCurrentRules(found, ports.registry.find(tool, tenant))
}

function versionGone({ tool, toolVersion }: StoredCall): ToolError {
  return new ToolError(
    'conflict',
    `${tool} has changed, and version ${toolVersion}, which it was to run again, is not kept`,
    { fix: 'Run it again as a whole.' },
  )
}
