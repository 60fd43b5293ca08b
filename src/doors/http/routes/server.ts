import { timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { Caller } from '../../../core/kernel/call.ts'
import type { HealthReport } from '../../../core/crib-api.ts'
import { ToolError } from '../../../core/kernel/errors.ts'
import { compilePermissions } from '../../../core/policy/permissions.ts'
import { defaultTenant } from '../../../core/rules/tenant.ts'
import { json } from '../reply.ts'
import type { HttpRequest } from '../request/http-request.ts'
import type { Door, PublicRoute } from '../route.ts'

const readiness = z
  .object({
    status: z.enum(['ok', 'failing', 'draining']),
    version: z.string(),
    checks: z.record(z.string(), z.object({ ok: z.boolean() })),
  })
  .meta({ id: 'Readiness' })

const healthRoute: PublicRoute = {
  method: 'get',
  path: '/healthz',
  tag: 'Server',
  summary: 'Is the process alive?',
  answers: {
    200: { description: 'It answers', schema: z.object({ status: z.literal('ok') }) },
  },
  visit: () => json(200, { status: 'ok' }),
}

const readyRoute: PublicRoute = {
  method: 'get',
  path: '/readyz',
  tag: 'Server',
  summary: 'Is it ready for requests?',
  description: '503 while a part fails and while the server drains before it stops.',
  answers: {
    200: { description: 'Ready', schema: readiness },
    503: { description: 'Not ready', schema: readiness },
  },
  async visit({ door }) {
    const report = await door.api.health()
    const isLeaving = door.isWithdrawn() || door.isDraining()
    const status = isLeaving ? 'draining' : report.status
    return json(status === 'ok' ? 200 : 503, {
      status,
      version: report.version,
      checks: toFlags(report),
    })
  },
}

// Messages of checks name hosts and folders; the public answer shows only which part fails.
function toFlags({ checks }: HealthReport): Record<string, { ok: boolean }> {
  return Object.fromEntries(Object.entries(checks).map(([name, { ok }]) => [name, { ok }]))
}

/**
 * The callers that may read the metrics: everybody, a holder of this token, or (neither) a key of the default
 * tenant with `audit.read`.
 */
export interface MetricsAccess {
  isOpen?: boolean
  token?: string
}

function metricsRoute(access: MetricsAccess): PublicRoute {
  return {
    method: 'get',
    path: '/metrics',
    tag: 'Server',
    summary: 'Numbers for Prometheus',
    description:
      'Open where the server listens on a loopback address without a proxy. Else it asks for the configured token, or for a key with `audit.read`, as a Bearer token.',
    answers: {
      200: {
        description: 'Prometheus text',
        schema: z.string(),
        types: ['text/plain; version=0.0.4'],
      },
    },
    async visit({ door, request, identify }) {
      if (access.token !== undefined) checkToken(access.token, door, request)
      else if (access.isOpen !== true) checkPermission(await identify())
      return {
        status: 200,
        type: 'text/plain; version=0.0.4; charset=utf-8',
        body: await metricsText(door),
      }
    },
  }
}

async function metricsText(door: Door): Promise<string> {
  const streams = [
    '# HELP toolcrib_http_streams Event streams that are open.',
    '# TYPE toolcrib_http_streams gauge',
    `toolcrib_http_streams ${door.streams.size}`,
  ]
  const text = await door.api.metrics()
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${streams.join('\n')}\n`
}

function checkToken(token: string, { throttle }: Door, request: HttpRequest): void {
  const expected = Buffer.from(`Bearer ${token}`)
  const given = Buffer.from(request.header('authorization') ?? '')
  if (given.length === expected.length && timingSafeEqual(given, expected)) return
  const tooMany = throttle.fail(request, undefined)
  if (tooMany !== undefined) throw tooMany
  throw new ToolError('unauthorized', 'Metrics need the token that is configured for them')
}

/** They cover the whole process: every tenant's tools by name, and how often each was called. */
function checkPermission({ permissions, tenant, home = tenant, agent }: Caller): void {
  if (
    agent === undefined &&
    home === defaultTenant &&
    compilePermissions(permissions).has('audit.read')
  )
    return
  throw new ToolError(
    'forbidden',
    `Metrics need the permission audit.read, held in the tenant ${defaultTenant}`,
    {
      fix: `Use a key of the tenant ${defaultTenant} with the scope audit.read, or configure server.metricsTokenEnv.`,
    },
  )
}

/** Health, readiness and metrics. */
export function serverRoutes(metrics: MetricsAccess): readonly PublicRoute[] {
  return [healthRoute, readyRoute, metricsRoute(metrics)]
}
