import type { ProcessPlace } from '../../../core/host/sandbox.ts'
import type { ToolError } from '../../../core/kernel/errors.ts'

/** The commands of calls that run now, by workspace. */
export interface RunningCommands {
  /** Counts a command from now on. */
  enter(place: Pick<ProcessPlace, 'id' | 'isReadOnly'>): RunningCommand
  has(workspaceId: string): boolean
  /** Aborts those of a workspace that may write, or all. Resolves when they have ended. */
  abort(workspaceId: string, reason: ToolError, which: 'writing' | 'all'): Promise<void>
}

export interface RunningCommand {
  readonly signal: AbortSignal
  abort(reason: ToolError): void
  /** It has ended. */
  leave(): void
}

interface Running {
  controller: AbortController
  mayWrite: boolean
  ended: Promise<void>
}

export function createRunningCommands(): RunningCommands {
  const running = new Map<string, Set<Running>>()
  return {
    enter({ id, isReadOnly }) {
      const { promise: ended, resolve } = Promise.withResolvers<void>()
      const controller = new AbortController()
      const one = { controller, mayWrite: isReadOnly !== true, ended }
      const ofWorkspace = running.get(id) ?? new Set()
      running.set(id, ofWorkspace.add(one))
      return {
        signal: controller.signal,
        abort: (reason) => controller.abort(reason),
        leave() {
          resolve()
          ofWorkspace.delete(one)
          if (ofWorkspace.size === 0 && running.get(id) === ofWorkspace) running.delete(id)
        },
      }
    },
    has: (id) => running.has(id),
    async abort(id, reason, which) {
      const all = [...(running.get(id) ?? [])]
      const ending = all.filter(({ mayWrite }) => mayWrite || which === 'all')
      for (const { controller } of ending) controller.abort(reason)
      await Promise.all(ending.map(({ ended }) => ended))
    },
  }
}
