import { html } from './html.ts'
import type { Html } from './html.ts'
import { notice } from './layout.ts'

/** Where the console would be, on a server that has no build of it. */
export function noConsolePage(): Html {
  return notice(
    'The console is not built',
    html`<p>
        You are signed in, and the API and MCP work; the web app is missing. In a checkout, this
        builds it and starts the server:
      </p>
      <pre><code>npm start</code></pre>
      <p class="dim">
        Until then, <code>toolcrib --help</code> lists what the command line does.
        <a href="/docs">Read the API</a>.
      </p>`,
  )
}
