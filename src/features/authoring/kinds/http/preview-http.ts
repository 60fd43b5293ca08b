import type { JsonValue } from '../../../../core/kernel/json.ts'
import type { ToolPreview } from '../../../../core/kernel/trial/tool-preview.ts'
import { type BuiltRequest, buildRequest } from './build-request.ts'
import type { HttpSpec } from './http-spec.ts'
import type { UrlTemplate } from './url-template.ts'

interface Previewed {
  spec: HttpSpec
  template: UrlTemplate
  roots: Readonly<Record<string, unknown>>
  /** Of the secrets that it sends: shown in place of their values. */
  secrets: readonly string[]
}

/** The request that would be sent. It is not sent, so what the server would do is not known. */
export function previewHttp({ spec, template, roots, secrets }: Previewed): ToolPreview {
  const names = Object.fromEntries(secrets.map((name) => [name, `secret:${name}`]))
  const { url, headers, body } = buildRequest(spec, template, { roots, secrets: names })
  const address = decodeNames(url.href, secrets)
  return {
    summary: `Sends ${spec.method} ${address}`,
    changes: [
      {
        target: `${spec.method} ${address}`,
        after: { headers: Object.fromEntries(headers), body: toJson(body) },
      },
    ],
  }
}

/** The colon of a name is encoded in a query. */
function decodeNames(href: string, secrets: readonly string[]): string {
  return secrets.reduce(
    (text, name) => text.replaceAll(`secret%3A${encodeURIComponent(name)}`, `secret:${name}`),
    href,
  )
}

function toJson(body: BuiltRequest['body']): JsonValue {
  if (body === undefined) return null
  if (typeof body !== 'string')
    return [...body].map(([name, value]) => [name, typeof value === 'string' ? value : value.name])
  try {
    return JSON.parse(body) as JsonValue
  } catch {
    return body
  }
}
