import { describe, expect, test, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import { violations } from '../../../testing/violations.ts'
import { drawForm, toolWith } from '../../testing/draw-form.tsx'
import { withUploads } from '../../../testing/with-uploads.ts'

describe('a file', () => {
  const schema = { type: 'object', properties: { paper: { type: 'string', format: 'data-url' } } }
  const uri = `crib://uploads/upl_${'1'.repeat(32)}`
  const large = new File(['x'.repeat(800_000)], 'big.txt', { type: 'text/plain' })
  /** The field is loaded with the first form that has one. */
  const chooser = () =>
    vi.waitFor(() => {
      const input = document.querySelector('input[type=file]')
      if (input === null) throw new Error('There is no place for a file')
      return input
    })

  test('that is small is put into the input, and can be removed', async () => {
    const { screen, state } = await drawForm(toolWith(schema))
    await userEvent.upload(await chooser(), new File(['hi'], 'a.txt', { type: 'text/plain' }))
    await expect.poll(() => state().value).toEqual({ paper: 'data:text/plain;base64,aGk=' })
    await expect.element(screen.getByText('a.txt')).toBeVisible()
    await expect.element(screen.getByText('text/plain, 2 bytes')).toBeVisible()
    await screen.getByRole('button', { name: 'Remove a.txt' }).click()
    expect(state().value).toEqual({})
  })

  test('that is large is sent first: with its progress, before the form may go, and named after', async () => {
    await withUploads(async (sent) => {
      const { screen, state } = await drawForm(toolWith(schema))
      await userEvent.upload(await chooser(), large)
      await expect.poll(() => sent.length).toBe(1)
      sent[0]?.progress(0.42)
      await expect.element(screen.getByText('42 %')).toBeVisible()
      expect(await violations()).toEqual([])
      expect(state().check()).toBe(false)
      await expect.element(screen.getByText(/Wait for the upload to finish/).first()).toBeVisible()
      sent[0]?.answer(201, { uri })
      await expect.poll(() => state().value).toEqual({ paper: uri })
      await expect.element(screen.getByText('big.txt')).toBeVisible()
      expect(state().check()).toBe(true)
      expect(await violations()).toEqual([])
    })
  })

  test('that is refused shows the reason in place, and can be retried and cancelled', async () => {
    await withUploads(async (sent) => {
      const { screen, state } = await drawForm(toolWith(schema))
      await userEvent.upload(await chooser(), large)
      await expect.poll(() => sent.length).toBe(1)
      sent[0]?.answer(413, {
        code: 'body_too_large',
        detail: 'The file is too large',
        fix: 'Cut it.',
      })
      await expect
        .element(screen.getByRole('alert'))
        .toHaveTextContent('The file is too large. Cut it.')
      expect(await violations()).toEqual([])
      await screen.getByRole('button', { name: 'Try again' }).click()
      await expect.poll(() => sent.length).toBe(2)
      await screen.getByRole('button', { name: 'Cancel' }).click()
      await expect.poll(() => sent[1]?.isAborted()).toBe(true)
      await expect.element(screen.getByText('big.txt')).not.toBeInTheDocument()
      expect(state().value).toEqual({})
      expect(state().check()).toBe(true)
    })
  })

  test('may be dropped on its field', async () => {
    const many = { type: 'array', items: { type: 'string', format: 'file' } }
    const { state } = await drawForm(toolWith({ type: 'object', properties: { papers: many } }))
    const dropped = new DataTransfer()
    for (const name of ['a.txt', 'b.txt']) dropped.items.add(new File([name], name))
    const zone = (await chooser()).parentElement
    const event = { dataTransfer: dropped, bubbles: true, cancelable: true }
    zone?.dispatchEvent(new DragEvent('drop', event))
    const inline = (name: string) => `data:application/octet-stream;base64,${btoa(name)}`
    await expect.poll(() => state().value).toEqual({ papers: [inline('a.txt'), inline('b.txt')] })
  })
})
