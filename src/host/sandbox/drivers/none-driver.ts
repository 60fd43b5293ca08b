import path from 'node:path'
import { ToolError } from '../../../core/kernel/errors.ts'
import type { BoxProcess, SandboxDriver } from '../driver.ts'
import { killGroup, startChild } from './child-box.ts'

const severalTenants = {
  reason: 'Programs run without a sandbox only where there is a single tenant',
  fix: 'Set sandbox: { driver: "auto" } in the configuration.',
}

/**
 * No sandbox: commands run as the user of the server, with a minimal environment and in a process
 * group of their own. For one person on their own machine.
 */
export function createNoneDriver(isAlone: () => Promise<boolean>): SandboxDriver {
  const running = new Set<BoxProcess>()
  // Processes that are still there would live on.
  const onExit = () => running.forEach((process) => process.kill('SIGKILL'))
  process.on('exit', onExit)
  return {
    name: 'none',
    network: 'open',
    fingerprint: async () => undefined,
    async verify() {
      if (await isAlone()) return { isSafe: true, limits: 'none', checks: [] }
      return { isSafe: false, limits: 'none', checks: [], ...severalTenants }
    },
    async open({ place }) {
      // One may have been created since.
      if (!(await isAlone())) {
        throw new ToolError('sandbox_unavailable', severalTenants.reason, severalTenants)
      }
      if (place.isReadOnly === true) {
        throw new ToolError('denied', 'Without a sandbox, programs could change this workspace', {
          fix: 'Allow writing to the workspace, or use a sandbox.',
        })
      }
      return {
        async spawn({ program, args, cwd, env }) {
          const started = await startChild({
            program,
            args,
            options: {
              cwd: path.join(place.folder, cwd),
              env: { ...env, HOME: place.folder },
              detached: true,
              ...place.owner,
            },
            kill: killGroup,
          })
          running.add(started)
          // The group of a command that has ended may have left others behind.
          const ended = started.ended.finally(() => {
            running.delete(started)
            started.kill('SIGKILL')
          })
          ended.catch(() => undefined)
          return { ...started, ended }
        },
      }
    },
    async close() {
      process.off('exit', onExit)
      onExit()
    },
  }
}
