import type { Redactor } from '../secrets/redact.ts'
import type { CallerClient } from '../kernel/context/caller-client.ts'

/** The same client, with secrets removed from all questions and messages. */
export function redactedClient(client: CallerClient, redactor: Redactor): CallerClient {
  const clean = <T>(value: T): T =>
    redactor.isEmpty ? value : (redactor.redactValue(value as never) as T)
  return {
    abilities: client.abilities,
    ask: (requests) => client.ask(clean(requests)),
    log: (line) => client.log(clean(line)),
  }
}
