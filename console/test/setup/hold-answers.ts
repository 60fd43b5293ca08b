import type { Page, Route } from 'playwright-core'

/** What the frame itself needs, and what never ends: neither is a matter of a screen. */
const frame = /\/api\/v1\/(me|changes)$/

const problem = {
  type: '/docs#error-unavailable',
  title: 'The server is busy',
  status: 503,
  detail: 'The store did not answer in time',
  code: 'unavailable',
  retryable: false,
  requestId: 'req_1',
}

/**
 * What a screen asks for from now on gets no answer, as on a slow network, for as long as it takes to
 * look; then `fail` answers all of it with an error.
 */
export async function holdAnswers(page: Page): Promise<{ fail(): Promise<void> }> {
  const held: Route[] = []
  let isFailing = false
  const refuse = (route: Route) =>
    route.fulfill({
      status: problem.status,
      contentType: 'application/problem+json',
      body: JSON.stringify(problem),
    })
  await page.route(isAsked, async (route) => {
    if (isFailing) await refuse(route)
    else held.push(route)
  })
  return {
    async fail() {
      isFailing = true
      await Promise.all(held.splice(0).map(refuse))
    },
  }
}

function isAsked({ pathname }: URL): boolean {
  return pathname.startsWith('/api/v1/') && !frame.test(pathname)
}
