import { ToolError } from '../../core/kernel/errors.ts'

let isGuarded = false

/**
 * A tool that ends the process would silently stop the server for everybody. `process.exit()` in
 * code that the loader imported throws an error instead; elsewhere it is unchanged.
 */
export function guardExit(): void {
  if (isGuarded) return
  isGuarded = true
  const exit = process.exit.bind(process)
  // A code of undefined is not the same as none: that one keeps `process.exitCode`.
  process.exit = (...code) => {
    if (isFromTool()) throw refused()
    return exit(...code)
  }
}

/** Modules that were loaded for tools have their reload number in their address. */
function isFromTool(): boolean {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 100
  const { stack = '' } = new Error('where')
  Error.stackTraceLimit = limit
  return /[?&]crib=\d/.test(stack)
}

function refused(): ToolError {
  return new ToolError('invalid_tool', 'process.exit() was called, which would end the server', {
    fix: 'Throw an error instead.',
  })
}
