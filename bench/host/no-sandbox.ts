import { createBwrapDriver } from '../../src/host/sandbox/bwrap/bwrap-driver.ts'

/** Why commands can't run in a sandbox of this machine; undefined where they can. */
export async function findNoSandbox(): Promise<string | undefined> {
  const searchPath = process.env['PATH']
  const driver = createBwrapDriver({ readOnlyFolders: [], searchPath, waitingBoxes: 0 })
  try {
    const { isSafe, reason } = await driver.verify()
    return isSafe ? undefined : (reason ?? 'the sandbox does not hold here')
  } finally {
    await driver.close()
  }
}
