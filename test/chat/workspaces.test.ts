import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { defineTool, z } from '../../src/app/index.ts'
import type { Caller } from '../../src/core/kernel/call.ts'
import { fakeModel } from './fake-model.ts'
import { closingChats, owner } from './open-chat.ts'

const openOne = closingChats()
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'crib-chat-files-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const keep = defineTool({
  name: 'file.keep',
  description: 'Writes a file of the workspace, for tests.',
  effect: 'write',
  inputSchema: z.object({ path: z.string(), text: z.string() }),
  execute: ({ path, text }, { workspace }) => workspace.write(path, text),
})
const everything = { tools: { allow: ['*'] } }
const desk = { slug: 'desk', model: fakeModel, attachmentsToWorkspace: true, ...everything }
const lead = { slug: 'lead', model: 'demo', ...everything }
const reader = { ...desk, slug: 'reader', workspaceMode: 'read-only' }
const apart = { ...lead, slug: 'apart', subagentWorkspace: 'own' }

const talk = () =>
  openOne(() => ({ text: 'read' }), {
    agents: [desk, reader, lead, apart],
    tools: [keep],
    config: { packs: { file: true }, workspaces: { folder, maxBytes: 65_536 } },
  })
type Talk = Awaited<ReturnType<typeof talk>>

function withFiles(id: string, ...files: [name: string | undefined, type: string, text: string][]) {
  const parts = files.map(([filename, mediaType, text]) => {
    const url = `data:${mediaType};base64,${Buffer.from(text).toString('base64')}`
    return { type: 'file', mediaType, url, filename }
  })
  return { id, role: 'user', parts: [{ type: 'text', text: 'look' }, ...parts] }
}

async function filesOf({ api }: Talk) {
  const { items } = await api.listWorkspaces(owner, {})
  const lists = await Promise.all(
    items.map(({ id }) => api.listWorkspaceFiles(owner, { id, recursive: true })),
  )
  return lists.map((list) =>
    list.items.filter(({ kind }) => kind === 'file').map((file) => file.path),
  )
}

test('an agent with that setting gets attachments in its workspace, with their paths', async () => {
  const opened = await talk()
  const { ask, model } = opened
  const first = withFiles(
    'm1',
    ['../../.ssh/report.csv', 'text/csv', 'a,b'],
    ['report.csv', 'text/csv', 'c,d'],
    [undefined, 'text/plain', 'plain'],
  )
  await (await ask('/agents/desk/chat', { id: 'c1', message: first })).text()
  const there = ['attachments/file.txt', 'attachments/report-2.csv', 'attachments/report.csv']
  expect(await filesOf(opened)).toEqual([there])
  const told = JSON.stringify(model.requests.at(-1)?.messages)
  for (const place of there) {
    expect(told).toContain(
      JSON.stringify(`(This file is in the workspace: "${place}")`).slice(1, -1),
    )
  }
  // The same request again, and the same file in another message.
  await (await ask('/agents/desk/chat', { id: 'c1', message: first })).text()
  const again = withFiles('m2', ['report.csv', 'text/csv', 'c,d'])
  await (await ask('/agents/desk/chat', { id: 'c1', message: again })).text()
  expect(await filesOf(opened)).toEqual([there])
})

test('an agent that changes no files gets attachments, and only those', async () => {
  const opened = await talk()
  const message = withFiles('m1', ['report.csv', 'text/csv', 'a,b'])
  await (await opened.ask('/agents/reader/chat', { id: 'c1', message })).text()
  expect(await filesOf(opened)).toEqual([['attachments/report.csv']])
  const [workspace] = (await opened.api.listWorkspaces(owner, {})).items
  expect(workspace?.mode).toBe('read-only')
  const id = workspace?.id ?? ''
  const gone = opened.api.deleteWorkspaceFile(owner, { id, path: 'attachments/report.csv' })
  await expect(gone).rejects.toMatchObject({ code: 'denied' })
})

test('what the model can not read is taken for the tools', async () => {
  const opened = await talk()
  const sound = withFiles('m1', ['a.m4a', 'audio/mp4', '\0\0\0\u0018ftypM4A '])
  const answer = await opened.ask('/agents/desk/chat', { id: 'c1', message: sound })
  expect(await answer.text()).toContain('read')
  expect(await filesOf(opened)).toEqual([['attachments/a.m4a']])
  const told = JSON.stringify(opened.model.requests.at(-1)?.messages)
  expect(told).toContain("that this model can't read")
  expect(told).toContain('attachments/a.m4a')
})

test('a message whose files do not fit is refused as a whole', async () => {
  const opened = await talk()
  const large = withFiles('m1', ['large.txt', 'text/plain', 'x'.repeat(70_000)])
  const refused = await opened.ask('/agents/desk/chat', { id: 'c1', message: large })
  expect(await refused.json()).toMatchObject({ code: 'quota_exceeded' })
  expect(await filesOf(opened)).toEqual([[]])
  expect(opened.model.requests).toEqual([])
})

test('a person copies an attachment into the workspace of their conversation', async () => {
  const opened = await talk()
  const { ask, api } = opened
  const message = withFiles('m1', ['.bashrc', 'text/plain', 'harmless'])
  await (await ask('/agents/helper/chat', { id: 'c1', message })).text()
  expect(await filesOf(opened)).toEqual([])
  const [conversation] = (await api.listConversations(owner, { limit: 1 })).items
  const id = conversation?.id ?? ''
  const file =
    /\/files\/([\w-]+)/.exec(JSON.stringify(await api.findConversation(owner, { id })))?.[1] ?? ''
  const person: Caller = { ...owner, ...(conversation && { principal: conversation.principal }) }
  const copy = (as: Caller, more: { path?: string; file?: string } = {}) =>
    api.copyAttachmentIntoWorkspace(as, { id, file, ...more })
  const copied = await copy(person)
  expect(copied).toMatchObject({ path: 'attachments/bashrc', kind: 'file', bytes: 8 })
  expect((await copy(person)).path).toBe('attachments/bashrc')
  expect(await copy(person, { path: 'in/rc.txt' })).toMatchObject({ workspace: copied.workspace })
  const content = (async function* () {
    yield new TextEncoder().encode('another')
  })()
  await api.writeWorkspaceFile(owner, { id: copied.workspace, path: 'taken.txt', content })
  expect((await copy(person, { path: 'taken.txt' })).path).toBe('taken-2.txt')
  await expect(copy(person, { path: '../out' })).rejects.toMatchObject({ code: 'invalid_input' })
  // Who may read the conversation may not put anything into its workspace.
  await expect(copy(owner)).rejects.toMatchObject({ code: 'not_found' })
  await expect(copy(person, { file: 'file_0' })).rejects.toMatchObject({ code: 'not_found' })
  const bound: Caller = { ...person, agent: 'desk' }
  await expect(copy(bound)).rejects.toMatchObject({ code: 'not_found' })
})

test.each([
  ['lead', 'share', [['mine', 'theirs']]],
  ['apart', 'own', [['theirs'], ['mine']]],
])('agents that %s sends out %s a workspace', async (agent, _option, expected) => {
  const opened = await talk()
  const task = { prompt: 'run file.keep with path=theirs text=two' }
  const spawn = JSON.stringify({ tasks: [task], maxSteps: null, maxTokens: null })
  const message = `run file.keep with path=mine text=one then run agents.spawn with ${spawn}`
  const answer = await opened.ask(`/agents/${agent}/chat`, { id: 'c1', message })
  expect(await answer.text()).toContain('completed')
  expect(await filesOf(opened)).toEqual(expected)
})
