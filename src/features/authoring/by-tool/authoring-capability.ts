import { ToolError } from '../../../core/kernel/errors.ts'
import type { Capability } from '../../../core/pipeline/capabilities/capability.ts'
import { isPublishable } from '../model/check-document.ts'
import { checkSource } from '../check-source.ts'
import type { AuthoringParts } from '../parts.ts'
import { listDocuments, readDocumentFor } from './read-for-caller.ts'

/** The tool that changes tools. Only this one reaches the documents. */
const manageTool = 'tools.manage'

/** `ctx.authoring`: the documents of the tenant, as far as the caller may change them. */
export function authoringCapability(parts: AuthoringParts): Capability<'authoring'> {
  return ({ caller, contract: { name, source } }) => {
    // Its calls are approved one by one; those of another tool would not be.
    if (name !== manageTool || source !== 'builtin') throw notFor(name)
    return {
      list: (after) => listDocuments(caller, after, parts),
      get: (tool) => readDocumentFor(caller, tool, parts),
      async check(document) {
        const { tool, findings } = await checkSource(caller, document, parts)
        const effect = tool?.contract.effect
        return {
          isPublishable: tool !== undefined && isPublishable(findings),
          findings,
          ...(effect !== undefined && { effect }),
        }
      },
      // Most servers never need these.
      async preview(change) {
        const { previewChange } = await import('./preview-change.ts')
        return previewChange(caller, change, parts)
      },
      async apply(change) {
        const { applyChange } = await import('./apply-change.ts')
        return applyChange(caller, change, parts)
      },
    }
  }
}

function notFor(name: string): ToolError {
  return new ToolError('denied', `${name} can't change tools`, {
    fix: `Call ${manageTool}, which asks a person each time.`,
  })
}
