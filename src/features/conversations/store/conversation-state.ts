import type { ConversationStore } from '../../../core/conversations/conversation-store.ts'
import { ToolError } from '../../../core/kernel/errors.ts'
import type { JsonValue } from '../../../core/kernel/json.ts'
import { changeIn, guarded } from '../../../store/engine/change-in.ts'
import type { Engine } from '../../../store/engine/engine.ts'
import { toJsonText, toStoredText } from '../../../store/log/stored-text.ts'
import { parseConversationId, toConversationUuid } from './conversation-rows.ts'
import { ownValue } from '../../../core/kernel/json/json-type.ts'

type ConversationState = Pick<ConversationStore, 'readState' | 'patchState'>

/** State that tools keep in a conversation. */
export function createConversationState(engine: Engine): ConversationState {
  return {
    readState: (tenant, id) =>
      guarded(async () => {
        if (parseConversationId(id) === undefined) return {}
        const row = await engine.db
          .selectFrom('conversations')
          .select('state')
          .where('tenant', '=', toStoredText(tenant))
          .where('id', '=', toConversationUuid(id))
          .executeTakeFirst()
        return row === undefined ? {} : (JSON.parse(row.state) as Record<string, JsonValue>)
      }),
    patchState: (tenant, id, patch) =>
      changeIn(engine, async (db) => {
        const at = { tenant: toStoredText(tenant), id: toConversationUuid(id) }
        const row = await db
          .selectFrom('conversations')
          .select('state')
          .where('tenant', '=', at.tenant)
          .where('id', '=', at.id)
          .forUpdate()
          .executeTakeFirst()
        if (row === undefined) return []
        const { state, overwritten } = applyPatch(JSON.parse(row.state), patch)
        await db
          .updateTable('conversations')
          .set({ state: toJsonText(state) })
          .where('tenant', '=', at.tenant)
          .where('id', '=', at.id)
          .execute()
        return overwritten
      }),
  }
}

/** Key by key: what this call did not touch stays as others have left it. */
export function applyPatch(
  before: Readonly<Record<string, JsonValue>>,
  { set, remove, seen, maxBytes }: Parameters<ConversationStore['patchState']>[2],
): { state: Record<string, JsonValue>; overwritten: string[] } {
  const state = new Map(Object.entries(before))
  const textOf = (key: string) => (state.has(key) ? JSON.stringify(state.get(key)) : undefined)
  const touched = [...Object.keys(set), ...remove]
  const overwritten = touched.filter((key) => textOf(key) !== ownValue(seen, key))
  for (const key of remove) state.delete(key)
  for (const [key, value] of Object.entries(set)) state.set(key, value)
  const after = Object.fromEntries(state)
  const bytes = new TextEncoder().encode(JSON.stringify(after)).length
  if (bytes <= maxBytes) return { state: after, overwritten }
  throw new ToolError(
    'quota_exceeded',
    `The state of this conversation would have ${bytes} bytes; ${maxBytes} are allowed`,
    { fix: 'Keep less in ctx.state, or keep large things in artifacts.' },
  )
}
