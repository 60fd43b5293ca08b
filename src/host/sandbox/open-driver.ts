import type { SandboxDriverName } from '../../core/host/sandbox.ts'
import type { SandboxDriver } from './driver.ts'

/** The configuration of drivers. */
export interface DriverChoice {
  driver: SandboxDriverName | 'auto'
  readOnly: readonly string[]
  image?: string | undefined
  /** Names this server among those of one container daemon. */
  node: string
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
    case 'docker': {
      const { createDockerDriver } = await import('./drivers/docker-driver.ts')
      const { image, env, node } = choice
      return createDockerDriver({ image, env, node })
    }
    case 'seatbelt': {
      const { createSeatbeltDriver } = await import('./drivers/seatbelt-driver.ts')
      return createSeatbeltDriver()
    }
    case 'e2b': {
      const { createE2bDriver } = await import('./drivers/e2b-driver.ts')
      return createE2bDriver({ template: choice.image, apiKey: choice.env['E2B_API_KEY'] })
    }
  }
}

function localDriver(): SandboxDriverName {
  return process.platform === 'darwin' ? 'seatbelt' : 'bwrap'
}
