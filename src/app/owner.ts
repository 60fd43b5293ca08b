import type { Caller } from '../core/kernel/call.ts'
import type { Runtime } from '../core/kernel/tool.ts'
import { defaultTenant } from './governance/scope-source.ts'

/** One shared array: compiled permissions are cached by identity. */
const everything: readonly string[] = Object.freeze(['*'])

/** The owner of a tenant: has the process, the data folder or the one-time link. */
export function ownerOf(tenant: string = defaultTenant, runtime: Runtime = 'api'): Caller {
  return { tenant, principal: { kind: 'user', id: 'owner' }, permissions: everything, runtime }
}
