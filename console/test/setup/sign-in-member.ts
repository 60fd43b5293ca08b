import type { BrowserContext } from 'playwright-core'
import type { OpenConsole } from './open-console.ts'

/** A browser of somebody else than the owner, with this role. Close it when done. */
export async function signInMember(crib: OpenConsole, role: string): Promise<BrowserContext> {
  const { server, browser, faults } = crib
  const email = `${role}-${Date.now()}@example.com`
  const invited = await server.request('/api/v1/invitations', { json: { email, role } })
  const { url } = (await invited.json()) as { url: string }
  const token = new URL(url, server.url).searchParams.get('token')
  const context = await browser.newContext({
    viewport: { width: 1360, height: 850 },
    reducedMotion: 'reduce',
    colorScheme: 'light',
    baseURL: server.url,
  })
  context.on('page', (page) => {
    page.on('pageerror', (error) => faults.push(`${page.url()}: ${error.message}`))
  })
  const accepted = await context.request.post('/api/v1/invitations/accept', {
    data: { token, name: `A ${role}`, password: 'correct horse battery' },
  })
  if (!accepted.ok()) throw new Error(`Not signed in: ${await accepted.text()}`)
  return context
}
