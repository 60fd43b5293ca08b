import type { Principal } from '../../core/kernel/call.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { type SignInTarget, toSubject } from '../../core/gateway/connection-store.ts'
import type { McpServerSpec } from '../../core/gateway/server-spec.ts'

interface Wanted {
  tenant: string
  server: string
  spec: McpServerSpec
  /** Absent if the connection is for the whole tenant. */
  principal?: Principal
}

/** The owner of a connection to a server. Throws for one without sign-in. */
export function toTarget({ tenant, server, spec, principal }: Wanted): SignInTarget {
  const { url, oauth } = spec
  if (url === undefined || oauth === undefined) {
    throw new ToolError('invalid_request', `Nobody signs in to ${server}`, {
      fix: waysIn(spec, server),
    })
  }
  const subject = oauth.perUser && principal !== undefined ? toSubject(principal) : ''
  return { tenant, server, subject, url, oauth }
}

function waysIn({ url }: McpServerSpec, server: string): string {
  return url === undefined
    ? `It is a program: pass its credentials in its environment, toolcrib mcp edit ${server} --env NAME=secret:…`
    : `Let people sign in to it by OAuth: toolcrib mcp edit ${server} --oauth`
}

/** The tenant as a whole has none. */
export function toPrincipal(subject: string): Principal | undefined {
  const [kind, ...id] = subject.split(':')
  return subject === '' ? undefined : ({ kind, id: id.join(':') } as Principal)
}
