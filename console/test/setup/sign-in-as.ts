import type { BrowserContext } from 'playwright-core'
import type { OpenConsole } from './open-console.ts'

/** Another person in a browser of their own. */
export async function signInAs(
  crib: OpenConsole,
  { name, role }: { name: string; role: string },
): Promise<BrowserContext> {
  const { server } = crib
  const made = await server.request('/api/v1/members', {
    json: { name, role, email: `${name}@example.com` },
  })
  if (!made.ok) throw new Error(await made.text())
  const { id } = (await made.json()) as { id: string }
  const link = await server.request('/api/v1/sign-in-links', { json: { member: id } })
  const { url } = (await link.json()) as { url: string }
  const context = await crib.browser.newContext({
    viewport: { width: 1360, height: 850 },
    reducedMotion: 'reduce',
    colorScheme: 'light',
  })
  const page = await context.newPage()
  const { pathname, search } = new URL(url)
  await page.goto(server.url + pathname + search)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
  await page.close()
  return context
}
