import { expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { stage } from '../testing/output-stage.tsx'
import { violations } from '../testing/violations.ts'
import { OutputView } from './output-view.tsx'

const esc = '\u001B'
const evil =
  '<script>window.hostileRan = 1</script><img src="https://evil.example/a" onerror="window.hostileRan=1">'

const view = (type: string) => ({ sections: [{ key: 'text', label: 'Text', type }] })

function checkClean(container: Element): void {
  expect((window as unknown as { hostileRan?: number }).hostileRan).toBeUndefined()
  const remote = performance
    .getEntriesByType('resource')
    .filter(({ name }) => name.includes('evil.example'))
  expect(remote).toEqual([])
  expect(container.querySelector('main script, main img, main iframe')).toBeNull()
}

test('code has line numbers, colours by its file name, and states which lines it shows', async () => {
  const value = {
    path: 'src/greet.ts',
    text: `const name: string = 'x' // ${evil}\nreturn name\u202E\n`,
    firstLine: 41,
    totalLines: 5000,
  }
  const screen = await stage(<OutputView value={value} tool={view('code')} />)
  await expect.element(screen.getByText('Lines 41–42 of 5,000')).toBeVisible()
  await expect.element(screen.getByText('src/greet.ts')).toBeVisible()
  const box = screen.getByRole('group', { name: 'Text' }).last()
  await expect.poll(() => box.element().querySelector('[data-kind=keyword]')).not.toBeNull()
  expect(
    [...box.element().querySelectorAll('[data-line]')].map((line) =>
      line.getAttribute('data-line'),
    ),
  ).toEqual(['41', '42'])
  expect(box.element().textContent).toContain('name⟨U+202E⟩')
  // Its facts are drawn with it and not once more by themselves.
  await expect.element(screen.getByText('Total lines')).not.toBeInTheDocument()
  await userEvent.click(screen.getByRole('button', { name: 'Wrap lines of Text' }))
  await expect
    .element(screen.getByRole('button', { name: 'Wrap lines of Text' }))
    .toHaveAttribute('aria-pressed', 'true')
  expect(await violations(screen.container)).toEqual([])
  checkClean(screen.container)
})

test('of a long text the beginning is shown until all is asked for', async () => {
  const text = Array.from({ length: 1500 }, (_, index) => `line ${index}`).join('\n')
  const screen = await stage(<OutputView value={{ text, path: 'a.py' }} tool={view('code')} />)
  await expect.element(screen.getByText('Lines 1–1,000 of 1,500')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Show all 1,500 lines' }))
  await expect.element(screen.getByText('1,500 lines', { exact: true })).toBeVisible()
})

test('a terminal shows colours and how the program ended, and obeys nothing else', async () => {
  const value = {
    text: `${esc}[32mok${esc}[0m ${esc}[31;41mhidden?${esc}[0m ${esc}]8;;https://evil.example${esc}\\link${esc}]8;;${esc}\\\n${esc}[2Jafter ${evil} pay\u200Bpal`,
    stderr: 'warning: something',
    exitCode: 2,
    durationMs: 1234,
    timedOut: true,
    signal: null,
  }
  const screen = await stage(<OutputView value={value} tool={view('terminal')} />)
  await expect.element(screen.getByText('Exit code 2')).toBeVisible()
  await expect.element(screen.getByText('Timed out')).toBeVisible()
  await expect.element(screen.getByText('1.2 s')).toBeVisible()
  await expect.element(screen.getByText('warning: something')).toBeVisible()
  const box = screen.getByRole('group', { name: 'Text' }).last().element()
  expect(box.querySelector('[data-color=green]')?.textContent).toBe('ok')
  // A text in the colour of its ground would be hidden.
  expect(box.querySelector('[data-back=red]')?.hasAttribute('data-color')).toBe(false)
  expect(box.textContent).toContain(`after ${evil} pay⟨U+200B⟩pal`)
  expect(box.querySelector('a')).toBeNull()
  expect(await violations(screen.container)).toEqual([])
  checkClean(screen.container)
})

test('a terminal that is still at work keeps its end in sight until somebody scrolls up', async () => {
  const lines = (count: number) =>
    Array.from({ length: count }, (_, index) => `step ${index}`).join('\n')
  const live = (count: number) => (
    <OutputView value={{ text: lines(count) }} tool={view('terminal')} isPartial />
  )
  const screen = await stage(live(200))
  await expect.element(screen.getByText('Running', { exact: true })).toBeVisible()
  const box = screen.getByRole('group', { name: 'Text' }).last().element()
  const fromEnd = () => box.scrollHeight - box.scrollTop - box.clientHeight
  await expect.poll(fromEnd).toBeLessThan(2)
  await screen.change(live(400))
  await expect.poll(fromEnd).toBeLessThan(2)
  box.scrollTop = 0
  await expect.element(screen.getByRole('button', { name: 'Jump to end' })).toBeVisible()
  await screen.change(live(500))
  expect(box.scrollTop).toBe(0)
  await userEvent.click(screen.getByRole('button', { name: 'Jump to end' }))
  await expect.poll(fromEnd).toBeLessThan(2)
})

const context = Array.from({ length: 20 }, (_, index) => ` same ${index}`).join('\n')
const diff = `diff --git a/src/a.ts b/src/a.ts
--- a/src/a.ts
+++ b/src/a.ts
@@ -1,21 +1,21 @@ function greet()
${context}
-const old = ${evil}
+const next = 1\u202E
`

test('a diff is shown by file, with signs, and with unchanged lines folded', async () => {
  const value = { text: diff, files: 3, truncated: true }
  const screen = await stage(<OutputView value={value} tool={view('diff')} />)
  await expect.element(screen.getByText('1 of 3 files')).toBeVisible()
  const line = (kind: string) => screen.container.querySelector(`[data-before][data-kind=${kind}]`)
  await expect.poll(() => line('added')?.textContent).toBe('+const next = 1⟨U+202E⟩\n')
  expect(line('removed')?.textContent).toBe(`−const old = ${evil}\n`)
  await expect.element(screen.getByText('same 0', { exact: true })).not.toBeInTheDocument()
  expect(await violations(screen.container)).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: 'Show 17 unchanged lines' }))
  await expect.element(screen.getByText('same 0', { exact: true })).toBeVisible()
  checkClean(screen.container)
})

test('text that is not a diff is shown as it is', async () => {
  const screen = await stage(
    <OutputView value={{ text: 'not a diff\nat all' }} tool={view('diff')} />,
  )
  await expect.element(screen.getByText('2 lines')).toBeVisible()
})

test('a page is drawn without pictures, with its address, and marked as untrusted', async () => {
  const pixel = 'data:image/png;base64,iVBORw0KGgo='
  const value = {
    text: `# Heading\n\n${evil}\n\n![a](${pixel}) ![b](https://evil.example/b.png) [go](https://evil.example/)`,
    url: 'https://example.com/page',
    title: 'A page\u202E',
    status: 404,
    format: 'markdown',
  }
  const screen = await stage(<OutputView value={value} tool={view('page')} />)
  await expect.element(screen.getByText('A page⟨U+202E⟩')).toBeVisible()
  await expect.element(screen.getByText('Status 404')).toBeVisible()
  await expect.element(screen.getByText('Untrusted text from the web')).toBeVisible()
  await expect.element(screen.getByRole('link', { name: 'https://example.com/page' })).toBeVisible()
  await expect.element(screen.getByRole('heading', { name: 'Heading' })).toBeVisible()
  expect(screen.container.querySelector('img')).toBeNull()
  expect(await violations(screen.container)).toEqual([])
  checkClean(screen.container)
})

test.each(['code', 'terminal', 'diff', 'page'])(
  'facts of the wrong kind do not break the view of a %s',
  async (type) => {
    const wrong = { a: [1], b: { c: 'x' } }
    const value = Object.fromEntries(
      ['path', 'language', 'firstLine', 'totalLines', 'stderr', 'exitCode', 'signal', 'timedOut']
        .concat(['durationMs', 'files', 'url', 'title', 'status', 'format', 'truncated'])
        .map((key, index) => [key, [wrong, -5, 'x\u0000', 1e300, 0.5][index % 5]]),
    )
    const screen = await stage(
      <OutputView value={{ ...value, text: 'hello there' }} tool={view(type)} />,
    )
    await expect.element(screen.getByText('hello there').first()).toBeVisible()
  },
)

test.each(['code', 'terminal', 'diff'])('50 KB of %s do not hold up the tab', async (type) => {
  const line = `${esc}[33mconst${esc}[0m value = compute('text', 12) // and a remark`
  const body = Array.from({ length: 800 }, () => `+${line}`).join('\n')
  const text = type === 'diff' ? `--- a/x\n+++ b/x\n@@ -0,0 +1,800 @@\n${body}\n` : body
  await stage(<OutputView value={{ text: 'x' }} tool={view(type)} />)
  const began = performance.now()
  const screen = await stage(<OutputView value={{ text, path: 'a.ts' }} tool={view(type)} />)
  await expect.poll(() => screen.container.querySelector('code')).not.toBeNull()
  const forced = screen.container.getBoundingClientRect().height
  expect(forced).toBeGreaterThan(0)
  // A busy machine takes seconds; quadratic work takes minutes.
  expect(performance.now() - began).toBeLessThan(5000)
})
