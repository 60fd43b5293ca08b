import { ToolError } from '../../core/kernel/errors.ts'
import type { Feature } from '../feature.ts'

/** `ctx.code`: programs that can only compute and call tools. */
export const codeFeature: Feature = {
  name: 'code',
  open({ host, config: { code } }) {
    return {
      operations: {},
      capabilities: {
        code({ caller, signal }) {
          const runner = host.code.codeFor(caller.tenant, signal())
          if (code.enabled) return { maxCalls: code.calls, open: runner.open }
          return { maxCalls: 0, open: () => Promise.reject(turnedOff()) }
        },
      },
    }
  },
}

function turnedOff(): ToolError {
  return new ToolError('denied', 'Programs are turned off on this server', {
    fix: 'Set code.enabled in the configuration.',
  })
}
