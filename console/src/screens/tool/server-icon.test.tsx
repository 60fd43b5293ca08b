import { expect, test } from 'vitest'
import { stage } from '../../testing/output-stage.tsx'
import { ServerIcon } from './server-icon.tsx'

const png =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

test('an embedded icon is shown, in the color scheme of the page', async () => {
  const dark = { src: `${png}#dark`, theme: 'dark' as const }
  const far = { src: 'https://icons.example/tool.png' }
  const screen = await stage(<ServerIcon icons={[far, dark, { src: png }]} />)
  const shown = screen.container.querySelectorAll('img')
  expect([...shown].map(({ src }) => src)).toEqual([png])
})

test('a remote icon is never requested', async () => {
  const screen = await stage(<ServerIcon icons={[{ src: 'https://icons.example/tool.png' }]} />)
  expect(screen.container.querySelector('img')).toBeNull()
})
