import type { CallControl } from '../run/call-control.ts'
import type { Redactor } from '../../secrets/redact.ts'
import type { CallerClient } from '../../kernel/context/caller-client.ts'
import { redactedClient } from '../../client/redacted-client.ts'

interface Holding {
  control: Pick<CallControl, 'hold'>
  /** Read on every question: a call may learn further secrets after its context was created. */
  secrets: { readonly redactor: Redactor }
}

/**
 * The caller's client as a tool sees it: the tool's clock stops while a question is open, and
 * questions and log lines never contain a secret of the call.
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
