import type { Sweep } from '../../core/work-ports.ts'
import { forgetGone } from '../governance/catalogue-sync.ts'
import type { Parts } from '../parts.ts'
import { outboxSweeps } from './outbox-sweeps.ts'

/** Recurring work of every server, besides that of features. */
export function kernelSweeps(
  parts: Pick<Parts, 'config' | 'store' | 'env' | 'registry' | 'groups' | 'host' | 'publicUrl'>,
): Sweep[] {
  const { groups } = parts
  return [
    ...outboxSweeps(parts),
    catalogueSweep(parts),
    { name: 'groups', everyMs: 1000, run: () => groups.sweep() },
    { name: 'group deadlines', everyMs: 1000, run: () => groups.expire() },
  ]
}

function catalogueSweep({ config, store, registry }: Pick<Parts, 'config' | 'store' | 'registry'>) {
  const keepMs = config.catalogue.keepDays * 86_400_000
  return {
    name: 'removed tools',
    everyMs: 600_000,
    isWoken: false,
    run: () => forgetGone({ store, registry, keepMs, now: store.now }),
  }
}
