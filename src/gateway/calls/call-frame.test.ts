import { expect, test } from 'vitest'
import type { CallerClient } from '../../core/kernel/context/caller-client.ts'
import { answerServer, type CallFrame } from './call-frame.ts'

const question = { method: 'elicitation/create', params: { message: 'Really?' } }

function frameOf(tool: string, asked: string[]): CallFrame {
  const client: CallerClient = {
    abilities: new Set(['elicitation.form', 'roots']),
    async ask() {
      asked.push(tool)
      return { answer: { action: 'accept' } }
    },
    log: () => undefined,
  }
  return { tool, client }
}

function createBook() {
  const noted: string[] = []
  return {
    noted,
    learn: (tool: string) => void noted.push(`learned ${tool}`),
    suspect: (tool: string) => void noted.push(`suspected ${tool}`),
  }
}
const calm = { hasStrays: false, isKnown: false }

test('a question that comes while two calls run is put to neither, whichever asked before', async () => {
  const asked: string[] = []
  const book = createBook()
  const frames = [frameOf('new', asked), frameOf('known', asked)]
  await expect(answerServer(question, { ...calm, frames }, book)).rejects.toMatchObject({
    code: 'client_unable',
    fix: expect.stringContaining('Try again'),
  })
  expect([asked, book.noted]).toEqual([[], ['suspected new', 'suspected known']])
})

test('nor to the only call that runs, while the server may be at work on one that was given up', async () => {
  const asked: string[] = []
  const frames = [frameOf('other', asked)]
  const askers = { ...calm, frames, hasStrays: true }
  await expect(answerServer(question, askers, createBook())).rejects.toMatchObject({
    code: 'client_unable',
  })
  expect(asked).toEqual([])
})

test('the only call that runs is asked', async () => {
  const asked: string[] = []
  const book = createBook()
  const frames = [frameOf('new', asked)]
  expect(await answerServer(question, { ...calm, frames }, book)).toEqual({ action: 'accept' })
  expect([asked, book.noted]).toEqual([['new'], ['learned new']])
})

test('a tool that asks where its caller works is answered, and stays with the others', async () => {
  const asked: string[] = []
  const book = createBook()
  const roots = { method: 'roots/list', params: {} }
  await answerServer(roots, { ...calm, frames: [frameOf('open', asked)] }, book)
  expect([asked, book.noted]).toEqual([['open'], []])
})
