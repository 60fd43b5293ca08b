import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  parseSearchWith,
  redirect,
  stringifySearchWith,
} from '@tanstack/react-router'
import { queryClient } from './api/query-client.ts'
import { holds, meQuery } from './api/me.ts'
import { exampleTool, findHome } from './screens/first-steps/find-home.ts'
import { Shell } from './shell/shell.tsx'
import { NotFound, ScreenFailed } from './screens/not-found.tsx'
import { FramePending, ScreenPending } from './shell/pending.tsx'

const rootRoute = createRootRoute({
  component: Shell,
  // Every screen may rely on knowing who looks at it.
  loader: () => queryClient.ensureQueryData(meQuery),
  errorComponent: ScreenFailed,
  notFoundComponent: NotFound,
  pendingComponent: FramePending,
})

const home = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: async () => {
    const { permissions } = await queryClient.ensureQueryData(meQuery)
    // People who may not call tools come for something else.
    if (!holds(permissions, 'tools.call')) {
      throw redirect({ to: holds(permissions, 'usage.read') ? '/usage' : '/approvals' })
    }
    if ((await findHome()) === 'tools') throw redirect({ to: '/tools' })
    throw redirect({ to: '/tools/$name', params: { name: exampleTool }, search: { example: '0' } })
  },
})

/** A screen is loaded when somebody goes there; filters live in the address. */
const tools = createRoute({
  getParentRoute: () => rootRoute,
  path: '/tools',
  validateSearch: asText('q', 'pack', 'effect', 'source', 'state'),
  component: lazyRouteComponent(() => import('./screens/tools/tools-screen.tsx'), 'ToolsScreen'),
})
const tool = createRoute({
  getParentRoute: () => rootRoute,
  path: '/tools/$name',
  validateSearch: asText('tab', 'call', 'from', 'example'),
  component: lazyRouteComponent(() => import('./screens/tool/tool-screen.tsx'), 'ToolScreen'),
})
const calls = createRoute({
  getParentRoute: () => rootRoute,
  path: '/calls',
  validateSearch: asText('tool', 'status', 'agent', 'principal', 'session', 'from', 'to', 'open'),
  component: lazyRouteComponent(() => import('./screens/calls/calls-screen.tsx'), 'CallsScreen'),
})
const call = createRoute({
  getParentRoute: () => rootRoute,
  path: '/calls/$id',
  validateSearch: asText('tab'),
  component: lazyRouteComponent(() => import('./screens/call/call-screen.tsx'), 'CallScreen'),
})
const approvals = createRoute({
  getParentRoute: () => rootRoute,
  path: '/approvals',
  validateSearch: asText('id', 'status'),
  component: lazyRouteComponent(
    () => import('./screens/approvals/approvals-screen.tsx'),
    'ApprovalsScreen',
  ),
})
const questions = createRoute({
  getParentRoute: () => rootRoute,
  path: '/questions',
  validateSearch: asText('id', 'show'),
  component: lazyRouteComponent(
    () => import('./screens/questions/questions-screen.tsx'),
    'QuestionsScreen',
  ),
})
const chat = createRoute({
  getParentRoute: () => rootRoute,
  path: '/chat/{-$agent}/{-$conversation}',
  validateSearch: asText('prompt'),
  component: lazyRouteComponent(() => import('./screens/chat/chat-screen.tsx'), 'ChatScreen'),
})
const agents = createRoute({
  getParentRoute: () => rootRoute,
  path: '/agents',
  validateSearch: asText('q', 'tab', 'kind', 'name'),
  component: lazyRouteComponent(() => import('./screens/agents/agents-screen.tsx'), 'AgentsScreen'),
})
const agent = createRoute({
  getParentRoute: () => rootRoute,
  path: '/agents/$slug',
  validateSearch: asText('tab', 'runtime', 'tool', 'show', 'q', 'as', 'skill', 'session', 'run'),
  component: lazyRouteComponent(() => import('./screens/agents/agent-screen.tsx'), 'AgentScreen'),
})
const skills = createRoute({
  getParentRoute: () => rootRoute,
  path: '/skills',
  validateSearch: asText('q', 'name', 'version', 'file'),
  component: lazyRouteComponent(() => import('./screens/skills/skills-screen.tsx'), 'SkillsScreen'),
})
const mcpServers = createRoute({
  getParentRoute: () => rootRoute,
  path: '/mcp-servers',
  validateSearch: asText('q'),
  component: lazyRouteComponent(
    () => import('./screens/mcp-servers/mcp-servers-screen.tsx'),
    'McpServersScreen',
  ),
})
const mcpServer = createRoute({
  getParentRoute: () => rootRoute,
  path: '/mcp-servers/$name',
  validateSearch: asText('tab', 'tool'),
  component: lazyRouteComponent(
    () => import('./screens/mcp-servers/mcp-server-screen.tsx'),
    'McpServerScreen',
  ),
})
const apis = createRoute({
  getParentRoute: () => rootRoute,
  path: '/apis',
  validateSearch: asText('q'),
  component: lazyRouteComponent(() => import('./screens/apis/apis-screen.tsx'), 'ApisScreen'),
})
const importedApi = createRoute({
  getParentRoute: () => rootRoute,
  path: '/apis/$name',
  validateSearch: asText('tab'),
  component: lazyRouteComponent(() => import('./screens/apis/api-screen.tsx'), 'ApiScreen'),
})
const studio = createRoute({
  getParentRoute: () => rootRoute,
  path: '/studio',
  validateSearch: asText('q', 'tab'),
  component: lazyRouteComponent(() => import('./screens/studio/studio-screen.tsx'), 'StudioScreen'),
})
const toolStudio = createRoute({
  getParentRoute: () => rootRoute,
  path: '/studio/$name',
  component: lazyRouteComponent(
    () => import('./screens/studio/tool-studio-screen.tsx'),
    'ToolStudioScreen',
  ),
})
const secrets = createRoute({
  getParentRoute: () => rootRoute,
  path: '/secrets',
  validateSearch: asText('q', 'add'),
  component: lazyRouteComponent(
    () => import('./screens/secrets/secrets-screen.tsx'),
    'SecretsScreen',
  ),
})
const schedules = createRoute({
  getParentRoute: () => rootRoute,
  path: '/schedules',
  validateSearch: asText('id', 'tool'),
  component: lazyRouteComponent(
    () => import('./screens/schedules/schedules-screen.tsx'),
    'SchedulesScreen',
  ),
})
const audit = createRoute({
  getParentRoute: () => rootRoute,
  path: '/audit',
  validateSearch: asText('q', 'actor', 'action', 'target', 'agent', 'outcome', 'from', 'to', 'id'),
  component: lazyRouteComponent(() => import('./screens/audit/audit-screen.tsx'), 'AuditScreen'),
})
const workspaces = createRoute({
  getParentRoute: () => rootRoute,
  path: '/workspaces',
  validateSearch: asText('agent', 'session'),
  component: lazyRouteComponent(
    () => import('./screens/workspaces/workspaces-screen.tsx'),
    'WorkspacesScreen',
  ),
})
const workspace = createRoute({
  getParentRoute: () => rootRoute,
  path: '/workspaces/$id',
  component: lazyRouteComponent(
    () => import('./screens/workspaces/workspace-screen.tsx'),
    'WorkspaceScreen',
  ),
})
const usage = createRoute({
  getParentRoute: () => rootRoute,
  path: '/usage',
  validateSearch: asText('by', 'days', 'show', 'view'),
  component: lazyRouteComponent(() => import('./screens/usage/usage-screen.tsx'), 'UsageScreen'),
})
const settings = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/{-$section}',
  component: lazyRouteComponent(
    () => import('./screens/settings/settings-screen.tsx'),
    'SettingsScreen',
  ),
})

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    home,
    tools,
    tool,
    calls,
    call,
    approvals,
    questions,
    chat,
    agents,
    agent,
    skills,
    studio,
    toolStudio,
    mcpServers,
    mcpServer,
    apis,
    importedApi,
    secrets,
    schedules,
    audit,
    workspaces,
    workspace,
    usage,
    settings,
  ]),
  // Addresses as people write them: a filter is text, never JSON.
  parseSearch: parseSearchWith((text) => text),
  stringifySearch: stringifySearchWith(String),
  defaultPreload: 'intent',
  defaultPendingMs: 150,
  defaultPendingComponent: ScreenPending,
  defaultErrorComponent: ScreenFailed,
  defaultNotFoundComponent: NotFound,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

/** Search parameters that are plain text or absent; all others are dropped. */
function asText<Name extends string>(...names: readonly Name[]) {
  return (search: Record<string, unknown>): { [K in Name]?: string } => {
    const kept: { [K in Name]?: string } = {}
    for (const name of names) {
      const value = search[name]
      if (typeof value === 'string' && value !== '') kept[name] = value
      else if (typeof value === 'number' || typeof value === 'boolean') kept[name] = String(value)
    }
    return kept
  }
}
