import { html } from './html.ts'
import type { Html } from './html.ts'
import { notice } from './layout.ts'

/** For somebody who has not signed in, or whose link no longer works. */
export function signedOutPage(reason: 'none' | 'used'): Html {
  const title = reason === 'used' ? 'This link no longer works' : 'Sign in to Toolcrib'
  const why =
    reason === 'used'
      ? html`<p>A sign-in link works once and for a limited time. Get a fresh one:</p>`
      : html`<p>The server prints a one-time link when it starts. Open it in this browser.</p>`
  return notice(
    title,
    html`${why}
      <ol>
        <li>
          Look at the terminal where <code>toolcrib dev</code> or <code>toolcrib start</code> runs.
        </li>
        <li>
          Open the address after <strong>Sign in</strong>, which ends in
          <code>/sign-in?token=…</code>.
        </li>
        <li>Is it used up? Start the server again: every start prints a fresh link.</li>
      </ol>
      <p class="dim">
        Programs need no link: they send an API key. <a href="/docs">Read the API</a>.
      </p>`,
  )
}

/** For an address where nothing is. */
export function notFoundPage(path: string): Html {
  return notice(
    'Nothing is here',
    html`<p><code>${path}</code> is not a page of this server.</p>
      <p><a href="/">Go to the tools</a> or <a href="/docs">read the API</a>.</p>`,
  )
}
