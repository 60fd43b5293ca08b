import type { Attributes } from './hidden-elements.ts'

const noiseElements = new Set(['nav', 'aside', 'footer'])
const noiseRoles = new Set([
  'alertdialog',
  'complementary',
  'contentinfo',
  'dialog',
  'menu',
  'menubar',
  'navigation',
  'search',
])
/** Whole words of a class or an id. */
const noiseWords = new Set([
  'ad',
  'ads',
  'advert',
  'advertisement',
  'adverts',
  'breadcrumb',
  'breadcrumbs',
  'comments',
  'consent',
  'cookie',
  'cookies',
  'disqus',
  'gdpr',
  'modal',
  'navbar',
  'newsletter',
  'outbrain',
  'paywall',
  'popup',
  'promo',
  'recommended',
  'related',
  'share',
  'sharing',
  'sidebar',
  'social',
  'sponsored',
  'subscribe',
  'taboola',
])
/** A class such as `with-sidebar` is about what is inside the element. */
const havingWords = new Set(['with', 'has', 'no', 'without', 'layout', 'wrapper', 'page'])
/** Small pieces of text may be called anything, such as `comment` in coloured code. */
const parts = new Set(['div', 'section', 'ul', 'ol', 'dl', 'table', 'header', 'p'])

/** True for menus, notices and the like: an element by its name, its role, its class or its id. */
export function isNoise(name: string, attributes: Attributes): boolean {
  if (noiseElements.has(name)) return true
  const { role, id, class: classes } = attributes
  if (role !== undefined && noiseRoles.has(role.trim().toLowerCase())) return true
  if (!parts.has(name)) return false
  const names = `${id ?? ''} ${classes ?? ''}`
  return names.slice(0, 1000).split(/\s+/).some(isNoiseName)
}

function isNoiseName(name: string): boolean {
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[-_:]+/)
  return words.some((word) => noiseWords.has(word)) && !words.some((word) => havingWords.has(word))
}
