import {
  type BaseContext,
  type Implementation,
  type JSONRPCRequest,
  type MessageExtraInfo,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  Server,
  SERVER_INFO_META_KEY,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { isRecord } from '../../core/kernel/json/json-type.ts'
import { withBoundedLog } from './calls/bounded-log.ts'

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>

/**
 * The SDK calls a malformed request an internal error and prints the issues of its schema as JSON.
 * It is the client's mistake and gets one line. Our own handlers throw only protocol errors, so any
 * other error from one is such a mistake.
 */
export class CheckedServer extends Server {
  /** Facts about the server that only `server/discover` returns. */
  introduction: Implementation | undefined

  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const wrapped = super._wrapHandler(method, handler)
    return async (request, context) => {
      try {
        const result = await wrapped(request, context)
        return method === 'server/discover' ? this.#introduce(result) : result
      } catch (error) {
        throw toMisfit(method, error)
      }
    }
  }

  protected override buildContext(context: BaseContext, extra?: MessageExtraInfo): ServerContext {
    const { mcpReq } = context
    const notify = withBoundedLog(mcpReq.notify)
    return super.buildContext({ ...context, mcpReq: { ...mcpReq, notify } }, extra)
  }

  #introduce(result: Result): Result {
    const { introduction } = this
    if (introduction === undefined) return result
    return { ...result, _meta: { ...result['_meta'], [SERVER_INFO_META_KEY]: introduction } }
  }
}

function toMisfit(method: string, error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const issues = readIssues(error.message)
  if (issues === undefined) return error
  // The malformed part may also be a result; its message begins with that.
  const isOwn = error instanceof ProtocolError && error.message.includes(' result: ')
  const code = isOwn ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams
  return new ProtocolError(code, `Invalid ${method} ${isOwn ? 'result' : 'request'}: ${issues}`)
}

const mostIssues = 5

/** The issues of a schema, which the SDK has as text, in words; undefined when there are none in it. */
function readIssues(message: string): string | undefined {
  const start = message.indexOf('[\n')
  if (start < 0) return undefined
  let issues: unknown
  try {
    issues = JSON.parse(message.slice(start))
  } catch {
    return undefined
  }
  if (!Array.isArray(issues)) return undefined
  return issues.filter(isRecord).slice(0, mostIssues).map(sayIssue).join('; ')
}

function sayIssue(issue: Record<string, unknown>): string {
  const path = Array.isArray(issue['path']) ? issue['path'].join('.') : ''
  const said = String(issue['message'])
  return path === '' ? said : `${path}: ${said}`
}
