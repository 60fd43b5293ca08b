import { Suspense } from 'react'
import { expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import { lazyPart } from './lazy-part.tsx'

function Drawing({ of }: { of: string }) {
  return <p>A drawing of {of}</p>
}

test('a missing part shows its placeholder, and appears once loaded', async () => {
  let arrive = () => {}
  const Part = lazyPart(async () => {
    await new Promise<void>((resolve) => (arrive = resolve))
    return Drawing
  })
  const screen = await render(
    <Suspense fallback="On its way">
      <Part of="a ship" />
    </Suspense>,
  )
  await expect.element(screen.getByText('On its way')).toBeVisible()
  arrive()
  await expect.element(screen.getByText('A drawing of a ship')).toBeVisible()
})

test('a part that was loaded before is drawn at once, with no placeholder in between', async () => {
  const Part = lazyPart(() => Promise.resolve(Drawing))
  await Part.load()
  let placeholders = 0
  const Placeholder = () => {
    placeholders += 1
    return null
  }
  const screen = await render(
    <Suspense fallback={<Placeholder />}>
      <Part of="a house" />
    </Suspense>,
  )
  expect(screen.container.textContent).toBe('A drawing of a house')
  expect(placeholders).toBe(0)
})

test('a part that failed to load may be tried again', async () => {
  let isThere = false
  const Part = lazyPart(() =>
    isThere ? Promise.resolve(Drawing) : Promise.reject(new Error('No network')),
  )
  await expect(Part.load()).rejects.toThrow('No network')
  isThere = true
  await Part.load()
  const screen = await render(<Part of="a tree" />)
  await expect.element(screen.getByText('A drawing of a tree')).toBeVisible()
})
