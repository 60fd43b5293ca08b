import { DefaultChatTransport, type UIMessage } from 'ai'
import { expect, test } from 'vitest'
import { closingChats, owner, readMessage, said, shortly } from './open-chat.ts'

const open = closingChats()

async function openSite() {
  const talk = await open(() => ({ text: 'Hello.' }))
  const scopes = ['agents.chat', 'tools.call']
  const { token: siteKey, key } = await talk.api.createKey(owner, { name: 'site', scopes })
  const issue = (body: object, as = siteKey) =>
    talk.ask('/tokens', { visitor: 'anna', scopes, agent: 'helper', ...body }, as)
  const tokenFor = async (visitor: string) =>
    ((await (await issue({ visitor })).json()) as { token: string }).token
  /** What a page does with `useChat`. */
  async function say(token: string, chatId: string, text: string): Promise<UIMessage> {
    const transport = new DefaultChatTransport<UIMessage>({
      api: 'http://localhost/api/v1/agents/helper/chat',
      headers: { authorization: `Bearer ${token}` },
      fetch: async (url, init) => talk.app.fetch(new Request(url, init)),
    })
    const stream = await transport.sendMessages({
      trigger: 'submit-message',
      chatId,
      messageId: undefined,
      messages: [said(`${chatId}-${text}`, text)],
      abortSignal: undefined,
    })
    return readMessage(stream)
  }
  return { ...talk, key, siteKey, scopes, issue, tokenFor, say }
}

test('a visitor talks with a token of their own, and finds the conversation with the next one', async () => {
  const { tokenFor, say, ask } = await openSite()
  const [first, second, other] = [
    await tokenFor('anna'),
    await tokenFor('anna'),
    await tokenFor('ben'),
  ]
  expect(shortly(await say(first, 'support', 'Hi'))).toEqual(['Hello.'])
  expect(shortly(await say(second, 'support', 'Hi again'))).toEqual(['Hello.'])
  const titles = async (token: string) =>
    ((await (await ask('/conversations', undefined, token)).json()) as { items: unknown[] }).items
  expect(await titles(first)).toHaveLength(1)
  expect(await titles(second)).toEqual(await titles(first))
  expect(await titles(other)).toEqual([])
})

test('a token never has more than the key that issues it, and issues none itself', async () => {
  const { issue, api, key, siteKey, tokenFor, ask } = await openSite()
  const codeOf = async (answer: Promise<Response> | Response) =>
    ((await (await answer).json()) as { code?: string }).code
  expect(await codeOf(issue({ scopes: ['secrets.write'] }))).toBe('forbidden')
  expect(await codeOf(issue({ agent: 'nobody' }))).toBe('not_found')
  expect(await codeOf(issue({ visitor: '' }))).toBe('invalid_request')
  expect(await codeOf(issue({ expiresInSeconds: 86_401 }))).toBe('invalid_request')
  const token = await tokenFor('anna')
  expect(await codeOf(issue({ visitor: 'eve' }, token))).toBe('forbidden')
  expect((await ask('/agents', undefined, token)).status).toBe(403)
  await expect(api.issueToken(owner, { visitor: 'a', scopes: ['*'] })).rejects.toMatchObject({
    code: 'forbidden',
  })
  expect((await ask('/chat/agents', undefined, token)).status).toBe(200)
  await api.revokeKey(owner, { id: key.id })
  for (const ended of [token, siteKey]) {
    expect((await ask('/chat/agents', undefined, ended)).status).toBe(401)
  }
})

test('a token ends with the key that issues it, whatever it asks for', async () => {
  const { api, ask } = await openSite()
  const expiresAt = new Date(Date.now() + 90_000).toISOString()
  const { token } = await api.createKey(owner, { name: 'short', scopes: ['tools.call'], expiresAt })
  const body = { visitor: 'anna', scopes: ['tools.call'], expiresInSeconds: 3600 }
  const answer = await ask('/tokens', body, token)
  expect(await answer.json()).toMatchObject({ expiresAt })
})
