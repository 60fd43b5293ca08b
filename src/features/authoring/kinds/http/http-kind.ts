import type { ForeignBehaviour } from '../../../../core/define-tool.ts'
import type { CallContext } from '../../../../core/kernel/call.ts'
import type { Effect } from '../../../../core/kernel/tool.ts'
import { invalidTool } from '../../../../core/schema/tool-definition.ts'
import type { ToolDocument } from '../../model/tool-document.ts'
import type { DerivedFacts, SpecKind } from '../spec-kind.ts'
import { buildRequest } from './build-request.ts'
import { checkHttp } from './check-http.ts'
import { httpBounds, type HttpMethod, type HttpSpec, httpSpec } from './http-spec.ts'
import { previewHttp } from './preview-http.ts'
import { readAnswer } from './read-answer.ts'
import { secretsIn } from './secret-values.ts'
import { parseUrlTemplate } from './url-template.ts'

const defaultTimeoutMs = 30_000

/** A tool that sends one HTTP request. */
export const httpKind: SpecKind<HttpSpec> = {
  kind: 'http',
  schema: httpSpec,
  check: checkHttp,
  derive: deriveHttp,
  toBehaviour,
}

const effects: Readonly<Record<HttpMethod, Effect>> = {
  GET: 'read',
  HEAD: 'read',
  OPTIONS: 'read',
  POST: 'write',
  PUT: 'write',
  PATCH: 'write',
  DELETE: 'destructive',
}

function deriveHttp({ spec }: ToolDocument<HttpSpec>): DerivedFacts {
  const { method } = spec
  return {
    effect: effects[method],
    openWorld: true,
    secrets: secretsOf(spec),
    ...(method === 'PUT' && { idempotent: true }),
  }
}

function secretsOf({ headers = {}, query = {} }: HttpSpec): string[] {
  const texts = [...Object.values(headers), ...Object.values(query)].map((value) =>
    typeof value === 'string' ? value : JSON.stringify(value),
  )
  return [...new Set(texts.flatMap(secretsIn).filter((name) => name !== undefined))]
}

function toBehaviour(document: ToolDocument<HttpSpec>): ForeignBehaviour {
  const { spec } = document
  // Also a document that got past the checks must not choose its host at run time.
  const template = parseUrlTemplate(spec.url)
  if ('problem' in template) {
    throw invalidTool(document.name, [{ path: '/spec/url', message: template.problem }])
  }
  const secrets = secretsOf(spec)
  const hasSecrets = secrets.length > 0
  const limits = {
    timeoutMs: document.timeoutMs ?? defaultTimeoutMs,
    maxBytes: httpBounds.maxAnswerBytes,
  }
  return {
    preview: (input, ctx) =>
      previewHttp({ spec, template, secrets, roots: { input, call: toCallRoot(ctx) } }),
    async execute(input, ctx) {
      const roots = { input, call: toCallRoot(ctx) }
      const { url, headers, body } = buildRequest(spec, template, { roots, secrets: ctx.secrets })
      const answer = await ctx.web.readPage(url, {
        method: spec.method,
        headers,
        ...(body !== undefined && { body }),
        ...limits,
      })
      const { artifacts } = ctx
      return readAnswer(answer, { spec, host: template.host, input, artifacts, hasSecrets })
    },
  }
}

/** The facts of the call that a request may refer to: its id is a good idempotency key. */
function toCallRoot({ callId, tenant, agent, sessionId }: CallContext) {
  return { id: callId, tenant, agent, sessionId }
}
