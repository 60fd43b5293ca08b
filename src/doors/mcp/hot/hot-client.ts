import type {
  CallerClient,
  ClientAbility,
  ClientRequest,
} from '../../../core/kernel/context/caller-client.ts'
import { abilitiesFor } from '../calls/client-abilities.ts'
import { unable } from '../calls/pending-dialog.ts'

const nothing: ReadonlySet<ClientAbility> = new Set()

/** A client that can't be asked anything. One is made for every call, so it is a class: its methods are made once. */
export class HotClient implements CallerClient {
  readonly abilities = nothing
  /** The client capabilities that a tool needed. */
  missing: Set<ClientAbility> | undefined

  ask(requests: Readonly<Record<string, ClientRequest>>): Promise<never> {
    const lacking = Object.values(requests).flatMap(abilitiesFor)
    this.missing ??= new Set()
    for (const ability of lacking) this.missing.add(ability)
    return Promise.reject(unable(`It needs a client that declares ${lacking.join(', ')}`))
  }

  /** It has not asked for any. */
  log(): void {
    return undefined
  }
}
