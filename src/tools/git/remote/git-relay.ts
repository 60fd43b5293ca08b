import { z } from 'zod'
import { isToolError, ToolError } from '../../../core/kernel/errors.ts'
import type { RelayHandler } from '../../../core/kernel/context/processes.ts'
import type { Web } from '../../../core/kernel/context/web.ts'
import type { RepositoryAddress } from './repository-address.ts'

/** Settings of tools that use a git server. */
export const remoteOptions = z.object({
  timeoutSeconds: z
    .int()
    .min(1)
    .max(1800)
    .default(300)
    .describe('Seconds that talking to the git server may take'),
  maxMegabytes: z
    .int()
    .min(1)
    .max(4096)
    .default(512)
    .describe('Megabytes that the git server may send'),
})

export type RemoteOptions = z.infer<typeof remoteOptions>

type Service = 'git-upload-pack' | 'git-receive-pack'

export interface GitRelayOptions {
  address: RepositoryAddress
  /** Reading needs one service, pushing the other; only this one is passed on. */
  service: Service
  /** Added here, outside of the sandbox. */
  authorization: string | undefined
  limits: RemoteOptions
  web: Pick<Web, 'fetch'>
}

export interface GitRelay {
  /** The address of the repository inside the sandbox. */
  readonly url: string
  readonly relays: Readonly<Record<string, RelayHandler>>
  /** Why the server could not be used, if that is known better here than to git. */
  failure(): ToolError | undefined
}

/**
 * Passes requests of a sandboxed git on to one repository of one server. The credential never
 * enters the sandbox, and everything but the requests of git's own protocol is refused.
 */
export function openGitRelay(options: GitRelayOptions): GitRelay {
  const { service } = options
  let failure: ToolError | undefined
  // Longer than any prefix that settings of a repository could rewrite, and not to be guessed.
  const base = `/${crypto.randomUUID()}/repository.git`
  const fail = (error: unknown) => {
    failure ??= isToolError(error) ? error : unreachable(options, error)
    return failure
  }
  const relay: RelayHandler = async (request, signal) => {
    const { pathname, search } = new URL(request.url)
    const isInfo =
      request.method === 'GET' &&
      pathname === `${base}/info/refs` &&
      search === `?service=${service}`
    const isTalk = request.method === 'POST' && pathname === `${base}/${service}` && search === ''
    if (!isInfo && !isTalk) return new Response('not part of this repository', { status: 403 })
    try {
      const answer = await send(options, request, {
        path: pathname.slice(base.length) + search,
        signal,
      })
      const refusal = toRefusal(options, answer)
      if (refusal === undefined) return passOn(answer, fail)
      await answer.body?.cancel()
      fail(refusal)
      return new Response(refusal.message, { status: 502 })
    } catch (error) {
      return new Response(fail(error).message, { status: 502 })
    }
  }
  return { url: `http://git.internal${base}`, relays: { git: relay }, failure: () => failure }
}

/** Git compresses what it sends, so that header belongs to the body. */
const sentHeaders = ['accept', 'content-type', 'content-encoding', 'git-protocol']

function send(
  { address, authorization, limits, web }: GitRelayOptions,
  request: Request,
  { path, signal }: { path: string; signal: AbortSignal },
): Promise<Response> {
  const headers = new Headers({ 'user-agent': 'git/toolcrib' })
  for (const name of sentHeaders) {
    const value = request.headers.get(name)
    if (value !== null) headers.set(name, value)
  }
  if (authorization !== undefined) headers.set('authorization', authorization)
  const { body } = request
  return web.fetch(`${address.href}${path}`, {
    method: request.method,
    headers,
    // A repository that moved is named in the error: a push goes where it was approved to go.
    redirect: 'manual',
    signal,
    timeoutMs: limits.timeoutSeconds * 1000,
    maxBytes: limits.maxMegabytes * 1_048_576,
    ...(body !== null && { body, duplex: 'half' }),
  })
}

function toRefusal(
  { address, authorization, service }: GitRelayOptions,
  { status, headers }: Response,
): ToolError | undefined {
  if (status >= 300 && status < 400) {
    const to = headers.get('location')?.split('?', 1)[0] ?? 'another address'
    return new ToolError(
      'upstream_failed',
      `The repository has moved to ${to.replace(/\/info\/refs$/, '')}`,
      {
        retryable: false,
        fix: 'Use that address, if you trust it.',
      },
    )
  }
  if (status === 401 || status === 403) {
    const host = new URL(address.origin).host
    const why =
      authorization === undefined ? `there is no token for ${host}` : 'the token is refused'
    const action = service === 'git-receive-pack' ? 'pushed to' : 'read'
    return new ToolError('upstream_failed', `The repository can't be ${action}: ${why}`, {
      retryable: false,
      fix: 'Set the secret git_token, and git_host if the server is not github.com.',
    })
  }
  if (status === 404) {
    return new ToolError('not_found', `The git server has no repository ${address.href}`, {
      fix: 'Check the address. A private repository may need the secret git_token.',
    })
  }
  if (status === 200) return undefined
  return new ToolError('upstream_failed', `The git server answered ${status}`, {
    retryable: status >= 500,
  })
}

/** The body is decoded already, so only its type is passed on. */
function passOn(answer: Response, fail: (error: unknown) => ToolError): Response {
  const headers = new Headers({ 'cache-control': 'no-cache' })
  const type = answer.headers.get('content-type')
  if (type !== null) headers.set('content-type', type)
  return new Response(watchBody(answer.body, fail), { status: answer.status, headers })
}

/** A limit that is reached in the middle of the body would be a broken connection to git. */
function watchBody(
  body: ReadableStream<Uint8Array> | null,
  fail: (error: unknown) => ToolError,
): ReadableStream<Uint8Array> | null {
  if (body === null) return null
  const reader = body.getReader()
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (done) controller.close()
        else controller.enqueue(value)
      } catch (error) {
        controller.error(fail(error))
      }
    },
    cancel: (reason) => reader.cancel(reason),
  })
}

function unreachable({ address }: GitRelayOptions, cause: unknown): ToolError {
  const { host } = new URL(address.origin)
  return new ToolError('upstream_failed', `The git server ${host} could not be reached`, { cause })
}
