import { toSafeAddress } from '../values/safe-text.ts'
import { isPicture } from '../shape.ts'

interface HtmlNode {
  type: string
  tagName?: string
  value?: string
  properties?: Record<string, unknown>
  children?: HtmlNode[]
}

/**
 * A step between markdown and page: a picture from elsewhere becomes its text and its address as text,
 * a link that may not be one becomes its text with the address behind it, headings begin at the second
 * rank (the page has the first) and leave out none.
 */
export function blockRemote() {
  return (tree: HtmlNode): void => {
    const left: HtmlNode[] = [tree]
    let rank = 1
    for (let node = left.pop(); node !== undefined; node = left.pop()) {
      if (node.tagName !== undefined && /^h[1-6]$/.test(node.tagName)) {
        const wanted = Number(node.tagName.slice(1))
        rank = Math.min(wanted + 1, rank + 1, 6)
        node.properties = { ...node.properties, 'data-rank': String(wanted) }
        node.tagName = `h${rank}`
      }
      if (node.children === undefined) continue
      node.children = node.children.flatMap(replace)
      // In the order of the text, so that the ranks of headings follow each other.
      for (const child of node.children.toReversed())
        if (child.children !== undefined) left.push(child)
    }
  }
}

function replace(node: HtmlNode): HtmlNode[] {
  if (node.tagName === 'img') return replaceImage(node)
  if (node.tagName === 'a') return replaceLink(node)
  return [node]
}

function replaceImage(node: HtmlNode): HtmlNode[] {
  const address = asText(node.properties?.['src'])
  if (isPicture(address)) return [node]
  const alt = asText(node.properties?.['alt'])
  const said = [alt === '' ? 'Picture' : alt, address === '' ? '' : `(${shorten(address)})`]
  return [blocked(said.filter(Boolean).join(' '))]
}

function replaceLink(node: HtmlNode): HtmlNode[] {
  const address = asText(node.properties?.['href'])
  if (toSafeAddress(address) !== undefined) return describeOtherPlace(node, address)
  const children = node.children ?? []
  // Footnotes link within the text, to its end.
  if (address === '' || address.startsWith('#')) return children
  return [...children, blocked(` (${shorten(address)})`)]
}

/** `[https://bank.example](https://elsewhere.example)` looks like another place: say which it is. */
function describeOtherPlace(node: HtmlNode, address: string): HtmlNode[] {
  const said = textOf(node).trim()
  const host = toHost(address)
  const looksLike = toHost(said) ?? toHost(`https://${said}`)
  const isName = /^(?:https?:\/\/)?[\w-]+(?:\.[\w-]+)+(?:[/?#:].*)?$/i.test(said)
  if (!isName || host === undefined || looksLike === host) return [node]
  return [node, blocked(` (${host})`)]
}

function toHost(address: string): string | undefined {
  try {
    const { host, protocol } = new URL(address)
    return protocol === 'mailto:' ? undefined : host.replace(/^www\./, '')
  } catch {
    return undefined
  }
}

function textOf(node: HtmlNode): string {
  const parts: string[] = []
  const left: HtmlNode[] = [node]
  for (let next = left.pop(); next !== undefined && parts.length < 100; next = left.pop()) {
    if (next.value !== undefined) parts.push(next.value)
    for (const child of (next.children ?? []).toReversed()) left.push(child)
  }
  return parts.join('')
}

function blocked(text: string): HtmlNode {
  const value = { type: 'text', value: text }
  return { type: 'element', tagName: 'span', properties: { 'data-blocked': '' }, children: [value] }
}

function shorten(address: string): string {
  return address.length > 120 ? `${address.slice(0, 120)}…` : address
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
