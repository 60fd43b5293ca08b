import { ToolError } from '../../../core/errors.ts'
import type { LimitWithUse } from '../../../core/limits/limit.ts'
import type { LimitsApi } from '../../../core/limits/limits-api.ts'

/** The limits of the memory crib: kept and shown, never enforced. */
export function memoryLimits(): LimitsApi {
  const limits = new Map<string, LimitWithUse>()
  const find = (name: string) => {
    const found = limits.get(name)
    if (found === undefined) throw new ToolError('not_found', `There is no limit ${name}`)
    return found
  }
  return {
    listLimits: async (_caller, { limit }) => ({ items: [...limits.values()].slice(0, limit) }),
    findLimit: async (_caller, name) => find(name),
    async writeLimit(_caller, name, spec) {
      const limit = { name, ...spec, isGlobal: false, isDeclared: false, use: [] }
      limits.set(name, limit)
      return limit
    },
    deleteLimit: async (_caller, name) => void limits.delete(find(name).name),
  }
}
