import { ToolError } from '../../core/errors.ts'
import type { Store } from '../../core/ports.ts'
import type { UsageApi } from '../../core/usage/usage-api.ts'
import type { UsageRow } from '../../core/usage/usage.ts'
import { isWithin } from '../../core/operations/agent-reach.ts'
import { requirePermission, requireUnbound } from '../../core/operations/require-permission.ts'

/** More days at once than people look at; a longer time is asked for in parts. */
const maxDays = 1000
const dayMs = 86_400_000

/** What the caller's tenant has used. */
export function createUsageAccess({ store }: { store: Pick<Store, 'usage' | 'audit'> }): UsageApi {
  return {
    async readUsage(caller, query) {
      requirePermission(caller, 'usage.read')
      assertDays(query)
      if (query.by !== 'agent') requireUnbound(caller)
      const all = await store.usage.read(caller.tenant, query)
      const rows = all.filter(({ subject }) => isWithin(caller, subject))
      if (query.by !== 'principal') return rows
      const subjects = rows.map(({ subject }) => subject)
      const names = await store.audit.nameAll(caller.tenant, subjects)
      return rows.map((row): UsageRow => {
        const name = names.get(row.subject)
        return name === undefined ? row : { ...row, name }
      })
    },
    async readToolUsage(caller, days) {
      requirePermission(caller, 'usage.read')
      assertDays(days)
      return store.usage.readTools(caller.tenant, days)
    },
  }
}

function assertDays({ from, to }: { from: string; to: string }): void {
  const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1
  if (days >= 1 && days <= maxDays) return
  throw new ToolError(
    'invalid_request',
    `from ${from} to ${to} is no time of 1 to ${maxDays} days`,
    {
      fix: 'Give days as YYYY-MM-DD, the earlier one in from.',
    },
  )
}
