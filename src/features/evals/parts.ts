import type { Refusals } from '../../core/explain/refusals.ts'
import type { Caller } from '../../core/kernel/call.ts'
import type { Offers } from '../../core/offer/tool-offer.ts'
import type { Scope } from '../../core/policy/scope.ts'
import type { Registry } from '../../core/registry.ts'
import type { EvalPort } from '../../core/trials/evals/eval-outcome.ts'
import type { Stores } from '../stores.ts'
import type { Slots } from './create-slots.ts'

/** The dependencies of the operations on evals. */
export interface EvalParts {
  store: Pick<Stores, 'rules' | 'now'>
  registry: Pick<Registry, 'find' | 'list'>
  scopeFor(caller: Caller): Scope | Promise<Scope>
  refusals: Refusals
  offers: Pick<Offers, 'whole'>
  evals: EvalPort
  /** Conversations that run now, by tenant. */
  slots: Slots
}
