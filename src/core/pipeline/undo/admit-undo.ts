import type { StoredCall } from '../../call-log.ts'
import type { ToolContract } from '../../kernel/tool.ts'
import type { RegisteredTool } from '../../registry.ts'
import type { PipelinePorts } from '../ports.ts'
import type { CallFacts } from '../record/call-facts.ts'
import { findUndoIssue, notUndoable } from './undo-issue.ts'
import { isByTool } from './undo-request.ts'

/** The part of an admission that an undo changes. */
interface Admitted {
  entry: RegisteredTool
  facts: CallFacts
  original?: StoredCall
}

/**
 * The last stage of a call that undoes another. Where a tool undoes its own calls, its undo is what
 * runs: under the policy, limits and approvals of the tool. Checks again that it may still happen,
 * because a person may have taken long to approve it.
 */
export async function admitUndo<A extends Admitted>(
  admission: A,
  undoes: string,
  ports: PipelinePorts,
): Promise<A> {
  const { entry, facts } = admission
  const original = await ports.calls.findWithInput(facts.caller.tenant, undoes)
  if (original === undefined) throw notUndoable(undoes, 'its record is gone')
  const source = ports.registry.find(original.tool, original.tenant)
  const reason = findUndoIssue(original, source?.contract, ports.now())
  if (reason !== undefined) throw notUndoable(undoes, reason)
  if (source === undefined || isByTool(source.tool.undo)) return admission
  if (source.contract.name !== facts.contract.name)
    throw notUndoable(undoes, 'its tool has changed')
  return toOwnUndo(admission, {
    original,
    contract: toUndoContract(entry.contract, source.tool.undo),
  })
}

function toOwnUndo<A extends Admitted>(
  admission: A,
  { original, contract }: { original: StoredCall; contract: ToolContract },
): A {
  const { entry, facts } = admission
  const { preview: _preview, ...tool } = entry.tool
  return {
    ...admission,
    original,
    entry: { ...entry, contract, tool: { ...tool, contract } },
    facts: { ...facts, contract },
  }
}

/** Undoing nested calls can be repeated: each of them is undone once. */
function toUndoContract(contract: ToolContract, undo: unknown): ToolContract {
  const { preview: _preview, undo: _undo, ...facts } = contract
  return {
    ...facts,
    outputSchema: undefined,
    execution: 'inline',
    retries: 0,
    idempotent: undo === 'calls',
  }
}
