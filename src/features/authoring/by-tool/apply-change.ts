import type { Caller } from '../../../core/kernel/call.ts'
import type { AuthoringChange } from '../../../core/kernel/context/tool-authoring.ts'
import { removeTool } from '../change-tool.ts'
import type { AuthoringParts } from '../parts.ts'
import { publishDocument } from '../publish.ts'
import { planChange } from './plan-change.ts'

/** Makes an approved change, unless another version has come into force since it was previewed. */
export async function applyChange(
  caller: Caller,
  change: AuthoringChange,
  parts: AuthoringParts,
): Promise<{ name: string; version?: string }> {
  const { name } = await planChange(caller, change, parts)
  if (change.action === 'delete') {
    await removeTool(caller, { name, version: change.version }, parts)
    return { name }
  }
  const { document } = change
  const base = change.action === 'update' ? change.version : null
  const note = toNote(caller, change.note)
  const { version } = await publishDocument(caller, { document, note, base }, parts)
  return { name, version: version.hash }
}

/** A version names the person behind the call; the note names the agent. */
function toNote({ agent }: Caller, note: string | undefined): string | undefined {
  if (agent === undefined) return note
  return note === undefined ? `By agent ${agent}` : `${note} (by agent ${agent})`.slice(0, 200)
}
