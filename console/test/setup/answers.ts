import type { Page } from 'playwright-core'

/** What the frame itself needs, and what is never answered as a whole: neither is a matter of a screen. */
const frame = /\/api\/v1\/(me|changes)$/

/** What a screen asks for from now on gets no answer: as on a slow network, for as long as it takes to look. */
export async function holdAnswers(page: Page): Promise<void> {
  await page.route(isAsked, () => {})
}

/** What a screen asks for from now on fails. */
export async function failAnswers(page: Page): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.route(isAsked, (route) =>
    route.fulfill({
      status: 503,
      contentType: 'application/problem+json',
      body: JSON.stringify({
        type: '/docs#error-unavailable',
        title: 'The server is busy',
        status: 503,
        detail: 'The store did not answer in time',
        code: 'unavailable',
        retryable: false,
        requestId: 'req_1',
      }),
    }),
  )
}

function isAsked({ pathname }: URL): boolean {
  return pathname.startsWith('/api/v1/') && !frame.test(pathname)
}
