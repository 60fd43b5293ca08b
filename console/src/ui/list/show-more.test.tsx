import { expect, test } from 'vitest'
import { stage } from '../../testing/output-stage.tsx'
import { ShowMore } from './show-more.tsx'

const numbers = Array.from({ length: 25 }, (_none, at) => at)

test('of a long list the beginning is drawn, and more when it is asked for', async () => {
  const screen = await stage(
    <ShowMore items={numbers} step={10}>
      {(shown) => shown.map((number) => <p key={number}>number {number}</p>)}
    </ShowMore>,
  )
  const count = () => screen.container.querySelectorAll('p').length
  expect(count()).toBe(10)
  const more = screen.getByRole('button', { name: 'Load more' })
  await more.click()
  expect(count()).toBe(20)
  await more.click()
  expect(count()).toBe(25)
  expect(screen.container.querySelector('button')).toBeNull()
})
