import { storeTime } from '../../core/kernel/ids.ts'
import type { Caller } from '../../core/kernel/call.ts'
import { openOperations } from '../../core/operations/run-operation.ts'
import type { ProcessNotice } from '../../core/host/sandbox.ts'
import type { Feature } from '../feature.ts'
import { processOperations } from './process-operations.ts'
import { processesCapability } from './processes-capability.ts'
import { sandboxOperations } from './operations.ts'

/** A start must not wait for it, and a command that ends soon needs no sandbox. */
const checkAfterMs = 5000

/** Where tools run programs: its state, and the processes in it. */
export const sandboxFeature: Feature = {
  name: 'sandbox',
  open({ host: { sandbox }, store: { events }, workspaces, network, ports, onWarning }) {
    const record = (
      { tenant, principal }: Caller,
      type: 'process.started' | 'process.ended',
      { durationMs = 0, exitCode, signal, ...started }: ProcessNotice,
    ) => {
      const at = storeTime()
      const ended = {
        ...started,
        durationMs,
        ...(exitCode !== undefined && { exitCode }),
        ...(signal !== undefined && { signal }),
      }
      const event =
        type === 'process.started' ? { type, at, data: started } : { type, at, data: ended }
      events
        .record([{ tenant, principal, events: [event] }])
        .catch((error: unknown) => onWarning(`A process could not be recorded: ${String(error)}`))
    }
    sandbox.onNotice({
      started: (caller, process) => record(caller, 'process.started', process),
      ended: (caller, process) => record(caller, 'process.ended', process),
    })
    // They were started when the workspace allowed writing, and would still write.
    workspaces.onNarrow((id) => sandbox.stopAll(id))
    workspaces.keepWhile((id) => sandbox.isBusy(id))
    workspaces.onRemove((id) => sandbox.endAll(id))
    let timer: NodeJS.Timeout | undefined
    return {
      operations: {
        ...openOperations(sandboxOperations, { sandbox, events }),
        ...openOperations(processOperations, { sandbox, workspaces }),
      },
      capabilities: {
        processes: processesCapability({
          sandbox,
          workspaces,
          network,
          mayAsk: ports.workspaceAccess.mayAsk,
        }),
      },
      start() {
        timer = setTimeout(() => void sandbox.state().catch(() => undefined), checkAfterMs).unref()
      },
      async stop() {
        clearTimeout(timer)
      },
    }
  },
}
