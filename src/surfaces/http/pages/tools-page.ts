import type { ToolListing } from '../../../core/crib-api.ts'
import { html } from './html.ts'
import type { Html } from './html.ts'

export interface ToolsPage {
  tools: readonly ToolListing[]
  /** There are more than are shown. */
  hasMore: boolean
  tenant: string
  q: string
}

/** The tools that this person sees, by pack. */
export function toolsPage({ tools, hasMore, tenant, q }: ToolsPage): Html {
  return html`<div class="head">
      <div>
        <h1>Tools</h1>
        <p class="dim">${summary(tools.length, q)} in <code>${tenant}</code></p>
      </div>
      <form class="search" role="search" method="get" action="/">
        <input
          type="search"
          name="q"
          value="${q}"
          placeholder="Search by name or purpose"
          aria-label="Search tools"
        />
        <button>Search</button>
      </form>
    </div>
    ${tools.length === 0 ? emptyState(q) : byPack(tools).map(packSection)}
    ${hasMore && html`<p class="dim">There are more. Search for a word to narrow the list.</p>`}`
}

function summary(count: number, q: string): string {
  const tools = `${count} ${count === 1 ? 'tool' : 'tools'}`
  return q === '' ? `${tools} you can use` : `${tools} that fit “${q}”`
}

function emptyState(q: string): Html {
  if (q !== '') {
    return html`<div class="empty">
      <h2>Nothing fits “${q}”</h2>
      <p>
        <a href="/">Show all tools</a>, or look at
        <a href="/api/v1/explain">what is hidden and why</a>.
      </p>
    </div>`
  }
  return html`<div class="empty">
    <h2>No tools yet</h2>
    <p>Write one file, such as <code>tools/hello.tool.ts</code>, and it appears here:</p>
    <pre><code>import { defineTool, z } from 'toolcrib'

export default defineTool({
  name: 'hello.greet',
  title: 'Greet somebody',
  description: 'Say hello to a person by name.',
  effect: 'read',
  inputSchema: z.object({ name: z.string() }),
  execute: ({ name }) => ({ text: \`Hello, \${name}!\` }),
})</code></pre>
    <p>Is one missing? <a href="/api/v1/explain">See what is hidden and why</a>.</p>
  </div>`
}

function byPack(tools: readonly ToolListing[]): [string, ToolListing[]][] {
  const packs = Map.groupBy(tools, (tool) => tool.pack)
  return [...packs].toSorted(([a], [b]) => (a < b ? -1 : 1))
}

function packSection([pack, tools]: [string, ToolListing[]]): Html {
  return html`<section class="pack">
    <h2>${pack} <span class="count">${tools.length}</span></h2>
    <ul class="cards">
      ${tools.map(card)}
    </ul>
  </section>`
}

function card(tool: ToolListing): Html {
  return html`<li class="card">
    <div class="card-head">
      <div>
        <h3><a href="/api/v1/tools/${encodeURIComponent(tool.name)}">${tool.title}</a></h3>
        <code>${tool.name}</code>
      </div>
      <div class="badges">
        ${tool.state !== 'ready' && html`<span class="badge ask">${tool.state}</span>`}
        <span class="badge ${tool.effect}">${tool.effect}</span>
      </div>
    </div>
    <p>${tool.description}</p>
    ${tool.reason !== undefined && html`<p class="reason">${tool.reason}</p>`}
    <p class="meta">${tool.source} · <a href="/docs#post-tools-name-calls">how to call it</a></p>
  </li>`
}
