const longest = 2048

/** Resolves the addresses of a page; none that runs something or leads into the page is left. */
export interface LinkResolver {
  /** Of `<base href>`: the first counts. */
  setBase(href: string): void
  /** An absolute http, https or mailto address, or undefined. */
  toLink(href: string | undefined): string | undefined
  /** An absolute http or https address, or undefined. */
  toImage(src: string | undefined): string | undefined
}

export function createLinkResolver(url: string): LinkResolver {
  let base = parse(url)
  let hasBase = false
  const resolve = (href: string | undefined, schemes: ReadonlySet<string>) => {
    const text = href?.trim() ?? ''
    if (text === '' || text.length > longest || text.startsWith('#')) return undefined
    const found = parse(text, base)
    if (found === undefined || !schemes.has(found.protocol)) return undefined
    return found.href.length > longest ? undefined : found.href
  }
  return {
    setBase(href) {
      const found = hasBase ? undefined : parse(href, base)
      hasBase = true
      if (found !== undefined && web.has(found.protocol) && found.href.length <= longest) {
        base = found
      }
    },
    toLink: (href) => resolve(href, linked),
    toImage: (src) => resolve(src, web),
  }
}

const web = new Set(['http:', 'https:'])
const linked = new Set([...web, 'mailto:'])

function parse(text: string, base?: URL): URL | undefined {
  return URL.parse(text, base?.href) ?? undefined
}
