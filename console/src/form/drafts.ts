import type { JsonValue } from '../api/json.ts'
import { meQuery } from '../api/me.ts'
import { queryClient } from '../api/query-client.ts'
import { session } from '../api/session.ts'
import { kept } from '../api/storage.ts'
import { withoutSecrets } from './model/clean.ts'
import type { FormModel } from './model/form-model.ts'

/** Longer ones are not worth the room: this device keeps a few megabytes for everything. */
const maxLetters = 200_000

/** What was typed and not run yet: by tenant, person and tool, on this device, without secrets and files. */
export const drafts = {
  read(tool: string): JsonValue | undefined {
    const text = kept.read(nameOf(tool))
    if (text === null) return undefined
    try {
      return JSON.parse(text) as JsonValue
    } catch {
      return undefined
    }
  },
  write(tool: string, model: FormModel, value: JsonValue): void {
    const text = JSON.stringify(withoutSecrets(model, value))
    if (text.length <= maxLetters) kept.write(nameOf(tool), text)
  },
  drop(tool: string): void {
    kept.remove(nameOf(tool))
  },
}

function nameOf(tool: string): string {
  const me = queryClient.getQueryData(meQuery.queryKey)
  return `draft.${session.tenant() ?? me?.tenant ?? ''}.${me?.principal.id ?? ''}.${tool}`
}
