/** Everything in them is dropped: it runs, is not text, or is filled in by people. */
export const droppedElements = new Set([
  'applet',
  'area',
  'audio',
  'button',
  'canvas',
  'datalist',
  'embed',
  'fencedframe',
  'frame',
  'frameset',
  'iframe',
  'input',
  'link',
  'map',
  'marquee',
  'menu',
  'meta',
  'meter',
  'noembed',
  'noframes',
  'noscript',
  'object',
  'optgroup',
  'option',
  'output',
  'param',
  'plaintext',
  'progress',
  'script',
  'select',
  'source',
  'style',
  'svg',
  'template',
  'textarea',
  'title',
  'track',
  'video',
  'xmp',
])

/** The tags that an element is written with. Others are left out, and their text stays. */
export const writtenAs: ReadonlyMap<string, { open: string; close: string }> = new Map([
  ...same('p h1 h2 h3 h4 h5 h6 ul li table thead tbody tfoot tr caption pre blockquote'),
  ...same('code em strong b i del s sub sup kbd mark q'),
  ...like('div', 'div section article main header address fieldset legend figure figcaption'),
  ...like('div', 'details summary hgroup center dl form aside nav footer body dialog search'),
  ...like('code', 'tt samp'),
  ...like('del', 'strike'),
  ['dt', { open: '<p><strong>', close: '</strong></p>' }] as const,
  ['dd', { open: '<p>', close: '</p>' }] as const,
])

function same(names: string) {
  return names.split(' ').map((name) => pair(name, name))
}

function like(written: string, names: string) {
  return names.split(' ').map((name) => pair(name, written))
}

function pair(name: string, written: string) {
  return [name, { open: `<${written}>`, close: `</${written}>` }] as const
}
