import type { OpenAPIHono, RouteConfig, z } from '@hono/zod-openapi'
import type { RouteAnswer, PublicRoute, Route, RouteBody } from '../route.ts'
import { problem } from './schemas.ts'

const headerSchema = { type: 'string' } as const

/** Adds a route to the description of the API. */
export function describeRoute(app: OpenAPIHono, route: Route | PublicRoute): void {
  const isPublic = 'visit' in route
  const { body } = route
  const query = isPublic ? undefined : route.query
  app.openAPIRegistry.registerPath({
    method: route.method,
    path: route.path,
    operationId: operationId(route),
    tags: [route.tag],
    summary: route.summary,
    description: route.description,
    security: isPublic ? [] : [{ key: [] }],
    request: {
      ...(query && { query: query as z.ZodObject }),
      ...(body && { body: toBody(body) }),
      ...toRawBody(route),
    },
    parameters: [
      ...Object.entries(route.params ?? {}).map(([name, description]) => ({
        in: 'path' as const,
        name,
        description,
        required: true,
        schema: headerSchema,
      })),
      ...Object.entries(route.headers ?? {}).map(([name, description]) => ({
        in: 'header' as const,
        name,
        description,
        schema: headerSchema,
      })),
    ],
    responses: toResponses(route),
  } as RouteConfig)
}

/** The document, with the parts that no route has: security, version and tags. */
export function toOpenApiDocument(app: OpenAPIHono, version: string) {
  app.openAPIRegistry.registerComponent('securitySchemes', 'key', {
    type: 'http',
    scheme: 'bearer',
    description:
      'An API key, `crib_…`. Signed-in people use the cookie of the console instead. Callers who manage tenants can send `Toolcrib-Tenant: <slug>` with any request to act in that tenant.',
  })
  return app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Toolcrib',
      version,
      description:
        'Tools for AI agents and the people who work with them: find them, call them, read the record.',
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [
      { name: 'Tools', description: 'The available tools, and calling them.' },
      { name: 'Calls', description: 'One use of a tool, from request to settled result.' },
      { name: 'Approvals', description: 'Pending approvals and decisions.' },
      { name: 'Events', description: 'The event log.' },
      { name: 'Access', description: 'Which callers can use which tool, and why.' },
      { name: 'MCP servers', description: 'Servers whose tools are added to yours.' },
      {
        name: 'Skills',
        description: 'Instructions with tools and permissions, and the agents that have them.',
      },
      { name: 'Secrets', description: 'Write-only values that tools need.' },
      { name: 'Agents', description: 'Agents, their grants and settings.' },
      { name: 'Conversations', description: 'Chats with agents and their messages.' },
      { name: 'Runs', description: 'Work of agents, with or without a listener.' },
      {
        name: 'Policies',
        description: 'Rules of a tenant for all its agents, and the effect of a change.',
      },
      { name: 'Keys', description: 'API keys and visitor tokens.' },
      { name: 'Tenants', description: 'The organisations on this server.' },
      { name: 'Members', description: 'People in a tenant, and your own account.' },
      { name: 'Sign-in', description: 'Browsers that are signed in, and invitations.' },
      { name: 'Audit', description: 'The tamper-evident audit log.' },
      { name: 'Uploads', description: 'Files uploaded for tools.' },
      { name: 'Workspaces', description: 'The files and processes of a session.' },
      { name: 'Evals', description: 'Requests to agents with the calls that should be made.' },
      { name: 'Sandbox', description: 'Where programs run, and whether it holds.' },
      {
        name: 'Tools as documents',
        description:
          'Tools that are made as documents: drafts, versions, and changes to tools of others.',
      },
      { name: 'APIs', description: 'Web services whose operations are tools.' },
      { name: 'Questions', description: 'Questions of tools that people answer.' },
      { name: 'Network rules', description: 'The hosts that tools may reach.' },
      { name: 'Usage', description: 'Daily usage.' },
      { name: 'Schedules', description: 'Tools called at set times.' },
      { name: 'Limits', description: 'Limits and their current use.' },
      { name: 'Server', description: 'Health and metrics of this server.' },
    ],
  })
}

/** `POST /api/v1/tools/{name}/calls` → `post-tools-name-calls`: stable names for generated clients. */
function operationId({ method, path }: Route | PublicRoute): string {
  const words = path.replace('/api/v1', '').match(/[a-z0-9]+/gi) ?? []
  return [method, ...words].join('-')
}

function toBody({ schema, isRequired }: RouteBody<unknown>) {
  return { required: isRequired, content: { 'application/json': { schema } } }
}

function toRawBody({ rawBody }: Route | PublicRoute) {
  if (rawBody === undefined) return {}
  const schema = { type: 'string', format: 'binary' } as const
  return { body: { required: true, content: { [rawBody]: { schema } } } }
}

function toResponses(route: Route | PublicRoute) {
  const responses: Record<string, unknown> = {}
  for (const [status, answer] of Object.entries(route.answers)) {
    const isProblem = Number(status) >= 400 && answer.schema === undefined
    responses[status] = isProblem ? toProblemResponse(answer) : toResponse(answer)
  }
  if (!('visit' in route)) {
    responses['401'] = toProblemResponse({ description: 'The key is missing, wrong or revoked' })
  }
  responses['default'] = toProblemResponse({ description: 'The error, with a fix' })
  return responses
}

function toResponse({ description, schema, headers, types = ['application/json'] }: RouteAnswer) {
  const headerObjects = Object.entries(headers ?? {}).map(([name, text]) => [
    name,
    { description: text, schema: headerSchema },
  ])
  const content = types.map((type) => [
    type,
    { schema: type === 'application/json' && schema !== undefined ? schema : { type: 'string' } },
  ])
  return {
    description,
    ...(headerObjects.length > 0 && { headers: Object.fromEntries(headerObjects) }),
    ...(schema !== undefined && { content: Object.fromEntries(content) }),
  }
}

function toProblemResponse({ description }: RouteAnswer) {
  return { description, content: { 'application/problem+json': { schema: problem } } }
}
