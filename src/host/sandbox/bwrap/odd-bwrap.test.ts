import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openScene } from '../testing/sandbox-scene.ts'
import { createBwrapDriver } from './bwrap-driver.ts'
import { explainFailure } from './find-bwrap.ts'

const current = 'if [ "$1" = --version ]; then echo bubblewrap 0.11.0; exit; fi'

/** A sandbox whose bwrap is this script. */
async function openWith(script: string) {
  const folder = await mkdtemp(path.join(tmpdir(), 'odd-bwrap-'))
  await chmod(folder, 0o755)
  await writeFile(path.join(folder, 'bwrap'), `#!/bin/sh\n${script}\n`)
  await chmod(path.join(folder, 'bwrap'), 0o755)
  const options = { readOnlyFolders: [], searchPath: folder, waitingBoxes: 0 }
  const scene = await openScene({ driver: async () => createBwrapDriver(options) })
  onTestFinished(async () => {
    await scene.close()
    await rm(folder, { recursive: true })
  })
  return scene
}

test.skipIf(process.platform !== 'linux').each([
  ['is too old', 'echo bubblewrap 0.6.2', 'bubblewrap 0.6.2 is too old'],
  ['does not run', 'exit 1', 'does not run'],
  [
    'may create no namespace',
    `${current}; echo "bwrap: No permissions to create new namespace" >&2; exit 1`,
    'No permissions to create new namespace',
  ],
  ['ends without a word', `${current}; exit 0`, 'bubblewrap does not answer'],
])(
  'no command runs where bwrap %s, and the state has the reason',
  async (_name, script, reason) => {
    const scene = await openWith(script)
    const state = await scene.sandbox.state()
    expect(state).toMatchObject({ state: 'unavailable', reason: expect.stringContaining(reason) })
    expect(state.fix).toBeTruthy()
    await expect(scene.run('true')).rejects.toMatchObject({ code: 'sandbox_unavailable' })
  },
)

test('settings of the system that forbid namespaces are named with a fix', () => {
  const said = 'bwrap: setting up uid map: Permission denied'
  const reasonWith = (settings: Record<string, string>) => explainFailure(said, settings).reason
  expect(reasonWith({ max_user_namespaces: '0' })).toContain('does not allow user namespaces')
  expect(reasonWith({ unprivileged_userns_clone: '0' })).toContain('does not allow user namespaces')
  expect(reasonWith({ apparmor_restrict_unprivileged_userns: '1' })).toMatch(/AppArmor|container/)
})
