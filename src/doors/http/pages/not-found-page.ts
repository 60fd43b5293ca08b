import { html } from './html.ts'
import type { Html } from './html.ts'
import { notice } from './layout.ts'

/** For an address where nothing is. */
export function notFoundPage(path: string): Html {
  return notice(
    'Nothing is here',
    html`<p><code>${path}</code> is not a page of this server.</p>
      <p><a href="/">Go to the tools</a> or <a href="/docs">read the API</a>.</p>`,
  )
}
