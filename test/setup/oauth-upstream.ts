import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'

interface Stats {
  registrations: number
  codes: number
  refreshes: number
  replays: number
}

/** An authorization server with two MCP servers behind it, as a process of its own. */
export interface OAuthUpstream {
  issuer: string
  docs: string
  mail: string
  stats(): Promise<Stats>
  set(settings: { tokenSeconds: number }): Promise<void>
  /** Signs in at the authorization server as this person; where it sends the browser back to. */
  signIn(url: string, who?: string): Promise<string>
  stop(): void
}

/** Starts one. A client that is known to it already is sent back to this address. */
export async function startOAuthUpstream(
  options: { knownClientAt?: string } = {},
): Promise<OAuthUpstream> {
  const program = path.join(import.meta.dirname, '../fixtures/oauth-mcp-server.ts')
  const { knownClientAt } = options
  const child = spawn(process.execPath, [program, JSON.stringify({ knownClientAt })], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  const urls = JSON.parse(line) as Pick<OAuthUpstream, 'issuer' | 'docs' | 'mail'>
  return {
    ...urls,
    stats: async () => (await fetch(`${urls.issuer}/stats`)).json() as Promise<Stats>,
    async set(settings) {
      await fetch(`${urls.issuer}/settings`, { method: 'POST', body: JSON.stringify(settings) })
    },
    async signIn(url, who) {
      const asked = new URL(url)
      if (who !== undefined) asked.searchParams.set('login_hint', who)
      return walk(asked.href, urls.issuer)
    },
    stop: () => void child.kill(),
  }
}

/** Follows redirects at the provider with its cookies, until it sends the browser back to us. */
async function walk(start: string, issuer: string): Promise<string> {
  const jar = new Map<string, string>()
  let url = start
  for (let hop = 0; hop < 10 && url.startsWith(issuer); hop += 1) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const reply = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const set of reply.headers.getSetCookie()) {
      const [pair = ''] = set.split(';')
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    const location = reply.headers.get('location')
    if (location === null) throw new Error(`No way on from ${url}: ${await reply.text()}`)
    url = new URL(location, url).href
  }
  return url
}
