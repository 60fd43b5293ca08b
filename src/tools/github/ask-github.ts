import type { Web } from '../../core/kernel/context/web.ts'
import { type Issue, ToolError } from '../../core/kernel/errors.ts'
import { fetchJson, type JsonAnswer } from '../network/fetch-json.ts'
import { retryAfterOf, shorten } from '../../core/net/upstream-error.ts'

export interface GithubParts {
  web: Web
  signal: AbortSignal
  options: { baseUrl: string }
  secrets: { github_token: string; github_api_url?: string | undefined }
}

export interface GithubRequest {
  method?: 'GET' | 'POST' | 'PATCH'
  /** After the address of the API, such as `/repos/a/b/issues`. */
  path: string
  query?: Readonly<Record<string, string>>
  body?: Readonly<Record<string, unknown>>
  /** The permissions that the token needs, by their names at GitHub. */
  permission?: string
  /** How to fix values that GitHub refuses. */
  valuesFix?: string
}

/** Asks the REST API of GitHub, or of the configured server. */
export async function askGithub(
  request: GithubRequest,
  { web, signal, options, secrets }: GithubParts,
): Promise<JsonAnswer> {
  const { method = 'GET', path, query = {}, body, permission = usualPermission } = request
  const base = secrets.github_api_url ?? options.baseUrl
  const url = new URL(`${base.replace(/\/+$/, '')}${path}`)
  url.search = new URLSearchParams(query).toString()
  return fetchJson(web, {
    from: 'GitHub',
    credentialFix: `Set a token that may do this (${permission}): toolcrib secrets set github_token`,
    url,
    method,
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${secrets.github_token}`,
      'user-agent': 'toolcrib',
      'x-github-api-version': '2022-11-28',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    retries: method === 'GET' ? 2 : 0,
    // Renamed repositories redirect. Changes do not follow.
    redirect: method === 'GET' ? 'follow' : 'manual',
    signal,
    refuse: (answer) => assertAccepted(answer, request),
  })
}

const usualPermission = 'Issues: read and write'
const usualValuesFix =
  'Labels and assignees must exist in the repository; a title must not be empty.'

/** Refusals that mean something here. 401 and what else there is are read by `fetchJson`. */
function assertAccepted({ status, headers, value }: JsonAnswer, request: GithubRequest): void {
  if (status < 300) return
  const { message } = Object(value) as { message?: unknown }
  const said = typeof message === 'string' ? shorten(message) : ''
  if (status < 400) throw moved(headers)
  if (isRateLimited(status, headers, said)) throw rateLimited(headers)
  if (status === 404) throw missing(request.path)
  if (status === 410) throw disabled(said)
  if (status === 422 || status === 400) throw invalid(said, value, request.valuesFix)
  const isRead = (request.method ?? 'GET') === 'GET'
  if (status >= 500 && !isRead) throw doubtful(status)
}

function isRateLimited(status: number, headers: Headers, said: string): boolean {
  if (status === 429) return true
  const isUsedUp = headers.get('x-ratelimit-remaining') === '0' || headers.has('retry-after')
  return status === 403 && (isUsedUp || /rate limit/i.test(said))
}

function rateLimited(headers: Headers): ToolError {
  const reset = Number(headers.get('x-ratelimit-reset')) * 1000
  const untilReset = reset - Date.parse(headers.get('date') ?? '')
  const retryAfterMs = retryAfterOf(headers) ?? (untilReset > 0 ? untilReset : undefined)
  return new ToolError('rate_limited', 'The rate limit of GitHub is reached', {
    fix: 'Wait before the next request.',
    ...(retryAfterMs !== undefined && { details: { retryAfterMs } }),
  })
}

function missing(path: string): ToolError {
  return new ToolError('not_found', `GitHub has nothing at ${path} for this token`, {
    fix: 'Check owner, name and number. A token without access to a repository gets this answer, too.',
  })
}

function moved(headers: Headers): ToolError {
  const location = headers.get('location') ?? ''
  return new ToolError('not_found', 'The repository has moved', {
    fix: `Use its new name${location === '' ? '' : `: GitHub refers to ${shorten(location)}`}.`,
  })
}

function disabled(said: string): ToolError {
  return new ToolError('upstream_failed', `GitHub refused: ${said || 'it is gone'}`, {
    retryable: false,
    fix: 'Issues are disabled in this repository, or the issue was deleted.',
  })
}

function invalid(said: string, value: unknown, fix = usualValuesFix): ToolError {
  const issues = issuesOf(value)
  const existing = issues.find(({ message }) => /already exists/i.test(message))
  if (existing !== undefined) {
    return new ToolError('conflict', `GitHub refused: ${existing.message}`, {
      fix: 'Find the one that exists, and change it instead.',
    })
  }
  return new ToolError('invalid_input', `GitHub refused the values: ${said}`, { issues, fix })
}

function issuesOf(value: unknown): Issue[] {
  const { errors } = Object(value) as { errors?: unknown }
  if (!Array.isArray(errors)) return []
  return errors.slice(0, 20).map((one: unknown) => {
    const { field, code, message } = Object(one) as Record<string, unknown>
    const text = [message, code].find((part): part is string => typeof part === 'string')
    const path = typeof field === 'string' ? `/${field}` : ''
    return { path, message: shorten(text ?? 'is refused') }
  })
}

function doubtful(status: number): ToolError {
  return new ToolError('upstream_failed', `GitHub answered ${status}`, {
    retryable: false,
    fix: 'It may have been done all the same: look before you send it again.',
  })
}
