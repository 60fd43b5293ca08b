import { expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import { EffectTag, StatusTag } from './status-tags.tsx'

test('a status and an effect are written out, not shown by colour alone', async () => {
  const screen = await render(
    <>
      <StatusTag status="waiting" />
      <EffectTag effect="destructive" />
    </>,
  )
  await expect.element(screen.getByText('Waiting')).toBeVisible()
  await expect.element(screen.getByText('destructive')).toBeVisible()
})
