import type { AuditLog } from '../../../core/audit/audit-log.ts'
import { guarded } from '../../../store/engine/change-in.ts'
import { checkChain } from './check-chain.ts'
import { listAudit } from './list-audit.ts'
import { namePrincipals } from './name-principals.ts'
import type { Sealing } from '../../../store/audit/seal-next.ts'
import type { Sealer } from '../../../store/audit/sealer.ts'

/** The audit on whichever engine. */
export function createAuditLog(sealing: Sealing, sealer: Sealer): AuditLog {
  return {
    sweep: () => guarded(() => sealer.sweep()),
    seal: (tenant) => guarded(() => sealer.sealAll(tenant)),
    list: (tenant, query) => guarded(() => listAudit(sealing, tenant, query)),
    check: (tenant, query) => guarded(() => checkChain(sealing, tenant, query)),
    nameAll: (tenant, principals) =>
      guarded(() => namePrincipals(sealing.engine, tenant, principals)),
  }
}
