import { isToolError, type ToolError } from '../../core/kernel/errors.ts'
import { exit, exitCodes } from './exit-codes.ts'
import { toSafeLine, toSafeText } from './output/safe-text.ts'
import type { Screen } from './output/screen.ts'

/**
 * Prints the error with its fix on stderr and returns the exit code. With `--json` it is
 * `{"error":{code,message,…}}` on one line of stderr; stdout stays empty, so that readers of
 * results never see an error.
 */
export function showError(
  screen: Screen,
  error: unknown,
  env: Readonly<Record<string, string | undefined>>,
): number {
  if (!isToolError(error)) return showBug(screen, error, env)
  if (screen.isJson) screen.err(JSON.stringify({ error: toErrorFields(error) }))
  else showToolError(screen, error)
  return exitCodes[error.code]
}

function toErrorFields(error: ToolError): Record<string, unknown> {
  const { callId, refusalId } = error.details
  return {
    code: error.code,
    message: error.message,
    retryable: error.retryable,
    ...(error.issues.length > 0 ? { issues: error.issues } : {}),
    ...(error.fix === undefined ? {} : { fix: error.fix }),
    ...(typeof callId === 'string' ? { callId } : {}),
    ...(typeof refusalId === 'string' ? { refusalId } : {}),
  }
}

/** The error with its issues and its fix. */
export function showToolError(screen: Screen, error: ToolError): void {
  screen.err(`${screen.errStyle('red', '✗')} ${toSafeText(error.message)}`)
  // A single issue is often the message itself; it is not repeated.
  const [only, ...more] = error.issues
  const isSaid = only !== undefined && more.length === 0 && error.message.endsWith(only.message)
  for (const { path, message } of isSaid ? [] : error.issues) {
    screen.err(`  ${screen.errStyle('bold', toSafeLine(path || '/'))} ${toSafeLine(message)}`)
  }
  if (error.fix !== undefined)
    screen.err(`${screen.errStyle('cyan', '→')} ${toSafeText(error.fix)}`)
}

/** Any error without a code is a bug and is shown as one. */
function showBug(
  screen: Screen,
  error: unknown,
  env: Readonly<Record<string, string | undefined>>,
): number {
  const message = error instanceof Error ? error.message : String(error)
  if (screen.isJson) {
    screen.err(JSON.stringify({ error: { code: 'internal', message, retryable: false } }))
    return exit.failed
  }
  screen.err(`${screen.errStyle('red', '✗')} This is a bug in Toolcrib: ${toSafeText(message)}`)
  const stack = error instanceof Error ? error.stack : undefined
  if (env['TOOLCRIB_DEBUG'] && stack !== undefined) screen.err(toSafeText(stack))
  else screen.err('→ Run it again with TOOLCRIB_DEBUG=1 and report the output.')
  return exit.failed
}
