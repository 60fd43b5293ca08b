import type { Principal } from '../../core/kernel/call.ts'
import { isRecord } from '../../core/kernel/json/json-type.ts'
import type { Redactor } from '../../core/secrets/redact.ts'
import { listPages } from '../servers/list-pages.ts'
import type { Server } from '../servers/server.ts'
import type { JsonRecord } from '../wire/messages.ts'

/** Prompts and resources of a server. */
export type LibraryKind = 'prompts' | 'resources' | 'templates'

const requests = {
  prompts: { method: 'prompts/list', member: 'prompts', capability: 'prompts' },
  resources: { method: 'resources/list', member: 'resources', capability: 'resources' },
  templates: {
    method: 'resources/templates/list',
    member: 'resourceTemplates',
    capability: 'resources',
  },
} as const

/** How long a list is fresh, unless the server sets its own time. */
const keepMs = 30_000
const keptAtMost = 1000

export interface LibraryLists {
  /** A server that can't be reached has nothing. */
  read(server: Server, kind: LibraryKind, principal: Principal): Promise<readonly JsonRecord[]>
  forget(server: Server): void
}

/** Its key stays as it is, or nobody could ask for it. */
function withoutSecrets(item: JsonRecord, redactor: Redactor): JsonRecord {
  if (redactor.isEmpty) return item
  const { name, uri, uriTemplate } = item
  return {
    ...(redactor.redactValue(item) as JsonRecord),
    ...(name !== undefined && { name }),
    ...(uri !== undefined && { uri }),
    ...(uriTemplate !== undefined && { uriTemplate }),
  }
}

export function createLibraryLists(now: () => number): LibraryLists {
  const kept = new Map<string, { at: number; items: Promise<readonly JsonRecord[]> }>()

  async function ask(server: Server, kind: LibraryKind, principal: Principal) {
    const use = await server.use(principal)
    try {
      const { method, member, capability } = requests[kind]
      if (use.upstream.capabilities[capability] === undefined) return []
      const { items } = await listPages(use.upstream, { method, member })
      return items.filter(isRecord).map((item) => withoutSecrets(item as JsonRecord, use.redactor))
    } finally {
      use.release()
    }
  }
  return {
    async read(server, kind, principal) {
      const { key, spec } = server.facts
      const who = spec.oauth?.perUser === true ? `${principal.kind}:${principal.id}` : ''
      const name = `${key.tenant}\n${key.server}\n${kind}\n${who}`
      const known = kept.get(name)
      if (known !== undefined && now() - known.at < keepMs) return known.items
      const items = ask(server, kind, principal).catch(() => {
        kept.delete(name)
        return []
      })
      kept.set(name, { at: now(), items })
      if (kept.size > keptAtMost) kept.delete(kept.keys().next().value ?? '')
      return items
    },
    forget({ facts: { key } }) {
      const prefix = `${key.tenant}\n${key.server}\n`
      for (const name of kept.keys()) if (name.startsWith(prefix)) kept.delete(name)
    },
  }
}
