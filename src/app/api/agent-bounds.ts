import type { Caller } from '../../core/kernel/call.ts'
import type { CoreApi } from '../../core/crib-api.ts'
import type { AgentBound } from '../../core/operations/operation.ts'
import { requireUnbound } from '../../core/operations/require-permission.ts'

/** Every operation is listed, so the compiler reports a new one that is missing. */
export const agentBounds: Readonly<Record<keyof CoreApi, AgentBound>> = {
  // Tools and calls
  offer: 'own',
  assertAgent: 'own',
  call: 'own',
  ask: 'own',
  complete: 'open',
  reportProgress: 'open',
  // Events
  followEvents: 'own',
  followChanges: 'own',
  // Operations of features declare it themselves.
  runOperation: 'open',
  // Conversations
  chat: 'own',
  resumeChat: 'own',
  // Prompts and resources
  listPrompts: 'own',
  getPrompt: 'own',
  listResources: 'own',
  listResourceTemplates: 'open',
  readResource: 'own',
  completeArgument: 'own',
  watchResources: 'open',
  watchResource: 'own',
  watchOffers: 'open',
  // Keys
  authenticate: 'open',
  tokenTerms: 'open',
  watchAccess: 'open',
  // MCP servers
  seesMcpServer: 'own',
  findMcpSignIn: 'open',
  finishMcpSignIn: 'open',
  mcpClientMetadata: 'open',
  // People and tenants
  findSignedIn: 'open',
  signInMethods: 'open',
  signIn: 'open',
  findSignInLink: 'open',
  signInByLink: 'open',
  signOut: 'open',
  createStartLink: 'none',
  findInvitation: 'open',
  acceptInvitation: 'open',
  startOidc: 'open',
  finishOidc: 'open',
  actIn: 'own',
  // The server
  bus: 'open',
  loadReports: 'open',
  health: 'open',
  metrics: 'open',
}

/** The same operations, refused to bound callers where they are not for them. */
export function withinAgents(api: CoreApi): CoreApi {
  const guarded = Object.entries(agentBounds).flatMap(([name, bound]) =>
    bound === 'none' ? [[name, guard(api, name as keyof CoreApi)] as const] : [],
  )
  return { ...api, ...(Object.fromEntries(guarded) as Partial<CoreApi>) }
}

type Operation = (caller: Caller, ...rest: unknown[]) => Promise<unknown>

function guard(api: CoreApi, name: keyof CoreApi): Operation {
  const operation = api[name] as unknown as Operation
  return async (caller, ...rest) => {
    requireUnbound(caller)
    return operation.call(api, caller, ...rest)
  }
}
