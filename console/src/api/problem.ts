/** One thing that is wrong with an input, and where: a JSON pointer into what was sent. */
export interface Issue {
  pointer: string
  message: string
}

interface Facts {
  code: string
  message: string
  status: number
  title?: string
  fix?: string
  requestId?: string
  callId?: string
  retryable?: boolean
  issues?: readonly Issue[]
  refusalId?: string
}

/** An error of the server (problem+json), or a failure to reach it. */
export class ApiProblem extends Error {
  readonly code: string
  readonly status: number
  readonly title: string
  readonly fix: string | undefined
  readonly requestId: string | undefined
  readonly callId: string | undefined
  readonly retryable: boolean
  readonly issues: readonly Issue[]
  readonly refusalId: string | undefined

  constructor(facts: Facts) {
    super(facts.message)
    this.name = 'ApiProblem'
    this.code = facts.code
    this.status = facts.status
    this.title = facts.title ?? facts.message
    this.fix = facts.fix
    this.requestId = facts.requestId
    this.callId = facts.callId
    this.retryable = facts.retryable ?? false
    this.issues = facts.issues ?? []
    this.refusalId = facts.refusalId
  }
}

/** Makes any thrown value something that a screen can show. */
export function toProblem(thrown: unknown): ApiProblem {
  if (thrown instanceof ApiProblem) return thrown
  // fetch throws a TypeError when nobody answers.
  if (thrown instanceof TypeError) {
    return new ApiProblem({
      code: 'unreachable',
      status: 0,
      message: 'The server does not answer',
      fix: 'It may be restarting. What you typed is kept; try again in a moment.',
      retryable: true,
    })
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  return new ApiProblem({ code: 'unexpected', status: 0, message })
}

/** The thing on the screen was deleted: showing old data would mislead. */
export function isGone(error: unknown): boolean {
  return error instanceof ApiProblem && error.status === 404
}

interface ProblemBody extends Partial<Omit<Facts, 'message' | 'issues'>> {
  detail?: string
  issues?: readonly { path?: string; pointer?: string; message: string }[]
}

/** Reads the answer to a request that failed. */
export function fromAnswer(body: unknown, response: Response): ApiProblem {
  const problem: ProblemBody = typeof body === 'object' && body !== null ? body : {}
  const { detail, issues = [], title } = problem
  return new ApiProblem({
    ...problem,
    code: problem.code ?? `http_${response.status}`,
    status: response.status,
    message: detail ?? title ?? `The server answered ${response.status}`,
    requestId: problem.requestId ?? response.headers.get('x-request-id') ?? undefined,
    issues: issues.map((issue) => ({
      pointer: issue.pointer ?? issue.path ?? '',
      message: issue.message,
    })),
  })
}

/** The issue at one place of the request. */
export function faultAt(error: unknown, place: string): string | undefined {
  if (error === null) return undefined
  return toProblem(error).issues.find(({ pointer }) => pointer === place)?.message
}
