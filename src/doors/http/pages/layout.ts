import { html } from './html.ts'
import type { Html } from './html.ts'

export interface Layout {
  title: string
  /** Which entry of the top bar is this page? Without one it is a page by itself, such as the sign-in. */
  current?: 'docs'
  isSignedIn: boolean
  /** Changes with the style sheet, so that browsers keep it for good. */
  styleTag: string
  content: Html
}

/** A whole page: one style sheet, no script, light or dark as chosen or as the system is set. */
export function layout({ title, current, isSignedIn, styleTag, content }: Layout): string {
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · Toolcrib</title>
        <link rel="icon" href="/assets/toolcrib.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/assets/toolcrib.css?v=${styleTag}" />
        <link rel="stylesheet" href="/assets/scheme.css" />
      </head>
      <body${current === undefined && html` class="plain"`}>
        <a class="skip" href="#content">Skip to content</a>
        <header class="top">
          <a class="brand" href="/"
            ><img src="/assets/toolcrib.svg" alt="" width="20" height="20" />Toolcrib</a
          >
          ${
            current !== undefined &&
            html`<nav aria-label="Main">
              ${isSignedIn && topLink('/', 'Console', false)}
              ${topLink('/docs', 'API', current === 'docs')}
            </nav>`
          }
          ${
            isSignedIn &&
            html`<form method="post" action="/sign-out">
              <button class="quiet">Sign out</button>
            </form>`
          }
        </header>
        <main id="content">${content}</main>
      </body>
    </html>`
  return page.markup
}

function topLink(href: string, label: string, isCurrent: boolean): Html {
  return isCurrent
    ? html`<a href="${href}" aria-current="page">${label}</a>`
    : html`<a href="${href}">${label}</a>`
}

/** Shows a message to a person with a way to continue. */
export function notice(title: string, body: Html): Html {
  return html`<section class="notice">
    <h1>${title}</h1>
    ${body}
  </section>`
}
