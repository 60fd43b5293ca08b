import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'

const program = path.join(import.meta.dirname, '../../../test/fixtures/oidc-server.ts')

/** An OpenID provider on this machine that signs Ada in at once, and knows the crib on any port. */
export async function startOidcProvider(name: string): Promise<{ issuer: string; stop(): void }> {
  const redirectUris = ['127.0.0.1', 'localhost'].map(
    (host) => `http://${host}/sign-in/oidc/${name}/callback`,
  )
  const child = spawn(process.execPath, [program, JSON.stringify({ redirectUris })], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  const { issuer } = JSON.parse(line) as { issuer: string }
  return { issuer, stop: () => void child.kill() }
}
