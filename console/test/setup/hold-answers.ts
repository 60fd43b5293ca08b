import type { Page, Route } from 'playwright-core'

/** Requests of the frame and endless streams do not belong to a screen. */
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

/** The fate of a page's requests. */
interface HeldAnswers {
  /** From now on they get no answer, as on a slow network. */
  hold(): void
  /** All of them are answered with an error. */
  fail(): Promise<void>
}

/** Requests of the page's screens get no response while it is inspected, and then an error. */
export async function holdAnswers(page: Page): Promise<HeldAnswers> {
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
    hold: () => void (isFailing = false),
    async fail() {
      isFailing = true
      await Promise.all(held.splice(0).map(refuse))
    },
  }
}

function isAsked({ pathname }: URL): boolean {
  return pathname.startsWith('/api/v1/') && !frame.test(pathname)
}
