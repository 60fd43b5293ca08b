import type { JsonValue } from '../api/json.ts'
import { meQuery } from '../api/me.ts'
import { queryClient } from '../api/query-client.ts'
import { session } from '../api/session.ts'
import { kept } from '../api/storage.ts'
import { withoutSecrets } from './model/clean.ts'
import type { FormModel } from './model/form-model.ts'

/** Longer ones are not worth the room: this device keeps a few megabytes for everything. */
const maxLetters = 200_000

/**
 * Typed input that was not run yet: by tenant, person and tool, on this device, without secrets and files.
 */
export const drafts = {
  /** Only the draft typed beside this call, where one is given: a link to a call shows its own input. */
  read(tool: string, beside?: string): JsonValue | undefined {
    if (beside !== undefined && kept.read(besideNameOf(tool)) !== beside) return undefined
    const text = kept.read(nameOf(tool))
    if (text === null) return undefined
    try {
      return JSON.parse(text) as JsonValue
    } catch {
      return undefined
    }
  },
  write(tool: string, draft: Draft): void {
    const text = JSON.stringify(withoutSecrets(draft.model, draft.value))
    if (text.length > maxLetters) return
    kept.write(nameOf(tool), text)
    if (draft.beside === undefined) kept.remove(besideNameOf(tool))
    else kept.write(besideNameOf(tool), draft.beside)
  },
  drop(tool: string): void {
    kept.remove(nameOf(tool))
    kept.remove(besideNameOf(tool))
  },
}

interface Draft {
  model: FormModel
  value: JsonValue
  /** The call whose result was on the page while this was typed. */
  beside?: string | undefined
}

function besideNameOf(tool: string): string {
  return `${nameOf(tool)}.beside`
}

function nameOf(tool: string): string {
  const me = queryClient.getQueryData(meQuery.queryKey)
  return `draft.${session.tenant() ?? me?.tenant ?? ''}.${me?.principal.id ?? ''}.${tool}`
}
