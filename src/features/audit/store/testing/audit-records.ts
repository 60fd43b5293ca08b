import type { AuditCheck, AuditProblem } from '../../../../core/audit/audit-check.ts'
import type { AuditAnchor } from '../../../../core/audit/audit-check.ts'
import type { Stores } from '../../../stores.ts'
import { eventOf, freshTenant } from '../../../../store/contract/records.ts'

/**
 * Makes this many events outside of calls, each a record of its own, sealed in segments of
 * `perSegment`.
 */
export async function sealEvents(
  store: Stores,
  { count, perSegment }: { count: number; perSegment: number },
): Promise<{ tenant: string; ids: string[] }> {
  const tenant = freshTenant()
  const principal = { kind: 'user', id: 'anna' } as const
  for (let number = 1; number <= count; number += 1) {
    const events = [eventOf('secret.written', { name: `s${number}` })]
    await store.events.record([{ tenant, principal, events }])
    if (number % perSegment === 0 || number === count) await store.audit.seal(tenant)
  }
  const { items } = await store.events.read(tenant, { limit: 1000 })
  return { tenant, ids: items.map(({ id }) => id) }
}

/** The whole chain, checked stretch by stretch. */
export async function checkAll(
  { audit }: Pick<Stores, 'audit'>,
  tenant: string,
  anchors: readonly AuditAnchor[] = [],
): Promise<
  Pick<AuditCheck, 'segments' | 'events' | 'unsealed' | 'removed'> & { problems: AuditProblem[] }
> {
  const all = { segments: 0, events: 0, problems: [] as AuditProblem[] }
  let after = 0
  for (;;) {
    const check = await audit.check(tenant, { after, anchors })
    all.segments += check.segments
    all.events += check.events
    all.problems.push(...check.problems)
    if (check.next === undefined) {
      return { ...all, unsealed: check.unsealed, ...(check.removed && { removed: check.removed }) }
    }
    after = check.next
  }
}
