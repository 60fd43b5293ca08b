import {
  type ClientCapabilities,
  MissingRequiredClientCapabilityError,
} from '@modelcontextprotocol/server'
import type { ClientAbility, ClientRequest } from '../../../core/kernel/context/caller-client.ts'
import { isRecord } from '../../../core/kernel/json/json-type.ts'

/** The extension by which results are fetched later. */
export const tasksExtension = 'io.modelcontextprotocol/tasks'

/** The capabilities that a client has declared. */
export function toAbilities(capabilities: ClientCapabilities | undefined): Set<ClientAbility> {
  const { elicitation, sampling, roots, extensions } = capabilities ?? {}
  const declared: [ClientAbility, unknown][] = [
    // Without details, forms are meant: links came later.
    ['elicitation.form', elicitation && (elicitation.form ?? !elicitation.url)],
    ['elicitation.url', elicitation?.url],
    ['sampling', sampling],
    ['sampling.tools', sampling?.tools],
    ['roots', roots],
    ['tasks', extensions?.[tasksExtension]],
  ]
  return new Set(declared.filter(([, is]) => Boolean(is)).map(([ability]) => ability))
}

/** The capability needed to answer a question. */
export function abilitiesFor({ method, params }: ClientRequest): ClientAbility[] {
  const asked = isRecord(params) ? params : {}
  if (method === 'roots/list') return ['roots']
  if (method === 'elicitation/create') {
    return [asked['mode'] === 'url' ? 'elicitation.url' : 'elicitation.form']
  }
  return asked['tools'] === undefined && asked['toolChoice'] === undefined
    ? ['sampling']
    : ['sampling', 'sampling.tools']
}

const capabilityOf: Record<ClientAbility, ClientCapabilities> = {
  'elicitation.form': { elicitation: { form: {} } },
  'elicitation.url': { elicitation: { url: {} } },
  sampling: { sampling: {} },
  'sampling.tools': { sampling: { tools: {} } },
  roots: { roots: {} },
  tasks: { extensions: { [tasksExtension]: {} } },
}

/** The refusal of a client that has not declared what it takes. */
export function missingAbilities(
  missing: Iterable<ClientAbility>,
): MissingRequiredClientCapabilityError {
  const requiredCapabilities: ClientCapabilities = {}
  for (const ability of missing) {
    for (const [key, value] of Object.entries(capabilityOf[ability])) {
      const known = requiredCapabilities as Record<string, object>
      known[key] = { ...known[key], ...(value as object) }
    }
  }
  return new MissingRequiredClientCapabilityError({ requiredCapabilities })
}

/** Whether this looks like an answer to that question. Its content is for the tool to judge. */
export function isAnswer({ method }: ClientRequest, answer: unknown): boolean {
  if (!isRecord(answer)) return false
  if (method === 'roots/list') return Array.isArray(answer['roots'])
  if (method === 'elicitation/create') {
    return ['accept', 'decline', 'cancel'].includes(answer['action'] as string)
  }
  return answer['content'] !== undefined && typeof answer['role'] === 'string'
}
