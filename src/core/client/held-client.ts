import type { CallControl } from '../pipeline/call-control.ts'
import type { Redactor } from '../secrets/redact.ts'
import type { CallerClient, ClientRequest } from './caller-client.ts'

interface Holding {
  control: Pick<CallControl, 'hold'>
  redactor: Redactor
}

/**
 * The caller's client as a tool meets it: while it is asked, the tool's time stands still, and
 * nothing that it is asked or told holds a secret of the call.
 */
export function holdWhileAsked(client: CallerClient, { control, redactor }: Holding): CallerClient {
  const clean = <T>(value: T): T =>
    redactor.isEmpty ? value : (redactor.redactValue(value as never) as T)
  return {
    abilities: client.abilities,
    async ask(requests) {
      const goOn = control.hold()
      try {
        return await client.ask(clean(requests as Record<string, ClientRequest>))
      } finally {
        goOn()
      }
    },
    log: (line) => client.log(clean(line)),
  }
}
