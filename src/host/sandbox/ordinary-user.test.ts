import { describe, expect, test } from 'vitest'
import { escapeAsUser, ordinaryUser } from './testing/escape-as-user.ts'
import { hasBwrap } from './testing/sandbox-scene.ts'

const isThere = await hasBwrap()

describe.skipIf(!isThere)('a sandbox of a server that is not root', () => {
  test('it is verified, and works', async () => {
    expect(await escapeAsUser(['read the passwords of this machine', 'become root'])).toMatchObject(
      {
        user: process.getuid?.() === 0 ? ordinaryUser : process.getuid?.(),
        state: 'verified',
        out: [],
        stderr: 'named\n',
      },
    )
  })
})
