import type { SandboxDriverName } from '../../core/host/sandbox.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import type { SandboxDriver } from './driver.ts'

/** The configuration of drivers. */
export interface DriverChoice {
  driver: SandboxDriverName | 'auto'
  readOnly: readonly string[]
  image?: string | undefined
  env: Readonly<Record<string, string | undefined>>
  /** No tenant but the default one exists. */
  isAlone(): Promise<boolean>
}

/** Boxes that wait for a command take a few processes each. */
const waitingBoxes = 8

/** Loads the code of one driver: an embedder that runs no programs needs none. */
export async function openDriver(choice: DriverChoice): Promise<SandboxDriver> {
  const name = choice.driver === 'auto' ? localDriver() : choice.driver
  switch (name) {
    case 'bwrap': {
      const { createBwrapDriver } = await import('./bwrap/bwrap-driver.ts')
      const { readOnly: readOnlyFolders, env } = choice
      return createBwrapDriver({ readOnlyFolders, searchPath: env['PATH'], waitingBoxes })
    }
    case 'none': {
      const { createNoneDriver } = await import('./drivers/none-driver.ts')
      return createNoneDriver(choice.isAlone)
    }
    default:
      throw new ToolError('sandbox_unavailable', `The ${name} driver is not there yet`)
  }
}

function localDriver(): SandboxDriverName {
  return process.platform === 'darwin' ? 'seatbelt' : 'bwrap'
}
