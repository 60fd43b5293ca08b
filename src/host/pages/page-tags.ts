import { cleanText, escapeAttribute } from './clean-text.ts'
import { writtenAs } from './elements.ts'
import type { Attributes } from './hidden-elements.ts'
import type { LinkResolver } from './link-resolver.ts'

export interface Tags {
  open: string
  close: string
}

/** Tags of our own making: nothing that the page wrote is copied but text and checked addresses. */
export function tagsOf(
  name: string,
  attributes: Attributes,
  links: LinkResolver,
): Tags | undefined {
  switch (name) {
    case 'a':
      return linkTags(links.toLink(attributes['href']))
    case 'img':
      return imageTags(links.toImage(attributes['src']), attributes['alt'])
    case 'br':
    case 'hr':
      return { open: `<${name}>`, close: '' }
    case 'ol':
      return { open: `<ol${number('start', attributes['start'])}>`, close: '</ol>' }
    case 'td':
    case 'th':
      return { open: `<${name}${number('colspan', attributes['colspan'])}>`, close: `</${name}>` }
    case 'code':
      return { open: `<code${languageOf(attributes['class'])}>`, close: '</code>' }
    default:
      // A custom element is a block in most cases.
      return writtenAs.get(name) ?? (name.includes('-') ? writtenAs.get('div') : undefined)
  }
}

function linkTags(href: string | undefined): Tags | undefined {
  return href === undefined
    ? undefined
    : { open: `<a href="${escapeAttribute(href)}">`, close: '</a>' }
}

function imageTags(src: string | undefined, text = ''): Tags | undefined {
  const alt = cleanText(text).replaceAll(/\s+/g, ' ').trim().slice(0, 500)
  if (src === undefined || alt === '') return undefined
  return { open: `<img src="${escapeAttribute(src)}" alt="${escapeAttribute(alt)}">`, close: '' }
}

function languageOf(classes = ''): string {
  const language = /(?:language|lang)-([\w+#-]{1,20})/.exec(classes)?.[1]
  return language === undefined ? '' : ` class="language-${language}"`
}

function number(name: string, value: string | undefined): string {
  return value !== undefined && /^\d{1,3}$/.test(value) ? ` ${name}="${value}"` : ''
}
