import { expect, test } from 'vitest'
import type { CallerClient } from '../../core/client/caller-client.ts'
import { answerServer, type CallFrame } from './call-frame.ts'

const question = { method: 'elicitation/create', params: { message: 'Really?' } }

function frameOf(tool: string, asked: string[]): CallFrame {
  const client: CallerClient = {
    abilities: new Set(['elicitation.form']),
    async ask() {
      asked.push(tool)
      return { answer: { action: 'accept' } }
    },
    log: () => undefined,
  }
  return { tool, client }
}

test('a question that comes while two calls run is put to neither, whoever has asked before', async () => {
  const asked: string[] = []
  const asking = new Set(['known'])
  const frames = [frameOf('new', asked), frameOf('known', asked)]
  await expect(answerServer(question, frames, asking)).rejects.toMatchObject({
    code: 'client_unable',
  })
  expect({ asked, asking: [...asking] }).toEqual({ asked: [], asking: ['known', 'new'] })
})

test('the only call that runs is asked', async () => {
  const asked: string[] = []
  const frames = [frameOf('new', asked)]
  expect(await answerServer(question, frames, new Set())).toEqual({ action: 'accept' })
  expect(asked).toEqual(['new'])
})
