const maxCss = 300_000

/** The style sheets inside a page, in one text: a later one hides earlier parts of the page, too. */
export function styleOf(html: string): string {
  const parts: string[] = []
  let size = 0
  for (const [, css = ''] of html.matchAll(/<style[^>]{0,500}>([^<]{1,300000})/gi)) {
    parts.push(css)
    size += css.length
    if (size > maxCss) break
  }
  return parts.join('\n').slice(0, maxCss)
}
