import type { CallControl } from '../run/call-control.ts'
import type { Redactor } from '../../secrets/redact.ts'
import type { CallerClient } from '../../kernel/context/caller-client.ts'
import { redactedClient } from '../../client/redacted-client.ts'

interface Holding {
  control: Pick<CallControl, 'hold'>
  /** Read whenever something is asked: a call may come to know further secrets after its context is made. */
  secrets: { readonly redactor: Redactor }
}

/**
 * The caller's client as a tool meets it: while it is asked, the tool's time stands still, and
 * nothing that it is asked or told holds a secret of the call.
 */
export function holdWhileAsked(client: CallerClient, { control, secrets }: Holding): CallerClient {
  const clean = () => redactedClient(client, secrets.redactor)
  return {
    abilities: client.abilities,
    async ask(requests) {
      const goOn = control.hold()
      try {
        return await clean().ask(requests)
      } finally {
        goOn()
      }
    },
    log: (line) => clean().log(line),
  }
}
