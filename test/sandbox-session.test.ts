import { generateText, isStepCount, tool } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createCrib } from '../src/app/create-crib.ts'
import type { Crib } from '../src/app/crib.ts'
import { ownerOf } from '../src/app/owner.ts'
import { hasBwrap } from '../src/host/sandbox/testing/sandbox-scene.ts'
import { openTestStore } from '../src/testing/open-test-store.ts'

const isThere = await hasBwrap()
const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}

describe.skipIf(!isThere)('the sandbox of a session', () => {
  let crib: Crib
  let data: string
  let hits = 0
  const server = createServer((_request, response) => {
    hits += 1
    response.end('from the server')
  })
  const open = (sessionId: string, agent = 'coder') => crib.sandbox({ sessionId, agent })
  const toolsOf = async (sessionId: string) => {
    const { items } = await crib.calls.list({ sessionId })
    return items.map((call) => call.tool).toReversed()
  }

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    data = await mkdtemp(path.join(tmpdir(), 'toolcrib-session-'))
    await chmod(data, 0o711)
    const all = { allow: ['file.*', 'shell.*', 'process.*'] }
    crib = await createCrib({
      data: path.join(data, 'data'),
      env: {},
      store: await openTestStore(),
      tools: [],
      config: {
        packs: { shell: true, process: true },
        network: { addresses: ['127.0.0.1'] },
        agents: [
          { slug: 'coder', tools: all },
          { slug: 'reader', tools: all, workspaceMode: 'read-only' },
          { slug: 'asker', tools: all, workspaceMode: 'ask' },
          { slug: 'plain', tools: { allow: ['file.read'] } },
        ],
      },
      onWarning: () => undefined,
    })
  })
  afterAll(async () => {
    await crib?.close()
    server.close()
    await rm(data, { recursive: true, force: true })
  })

  test('a tool of the AI SDK works in it, and each command is a call of the session', async () => {
    const answers = ['sh', undefined]
    const model = new MockLanguageModelV4({
      doGenerate: async () => {
        const name = answers.shift()
        if (name === undefined) {
          const content = [{ type: 'text' as const, text: 'done' }]
          return { content, finishReason: { unified: 'stop', raw: 'stop' }, usage, warnings: [] }
        }
        const input = JSON.stringify({ command: 'cat in.txt >/dev/stderr; echo $NAME; exit 3' })
        const content = [{ type: 'tool-call' as const, toolCallId: 'c1', toolName: name, input }]
        const finishReason = { unified: 'tool-calls' as const, raw: 'tool_calls' }
        return { content, finishReason, usage, warnings: [] }
      },
    })
    const sh = tool({
      inputSchema: z.object({ command: z.string() }),
      async execute({ command }, { experimental_sandbox: sandbox }) {
        await sandbox?.writeTextFile({ path: 'in.txt', content: 'given' })
        return sandbox?.run({ command, env: { NAME: "it's" } })
      },
    })
    const { steps } = await generateText({
      model,
      tools: { sh },
      prompt: 'Run it.',
      stopWhen: isStepCount(3),
      experimental_sandbox: open('sdk'),
    })
    expect(steps[0]?.toolResults[0]?.output).toEqual({
      exitCode: 3,
      stdout: "it's\n",
      stderr: 'given',
    })
    expect(await toolsOf('sdk')).toEqual(['file.write', 'shell.exec'])
  })

  test('files are written, read, listed and deleted as bytes and as text', async () => {
    const sandbox = open('files')
    const bytes = Uint8Array.from({ length: 5000 }, (_, index) => index % 256)
    await sandbox.writeBinaryFile({ path: '/workspace/deep/a.bin', content: bytes })
    expect(await sandbox.readBinaryFile({ path: 'deep/a.bin' })).toEqual(bytes)
    const stream = await sandbox.readFile({ path: 'deep/a.bin' })
    expect(await new Response(stream).bytes()).toEqual(bytes)
    await sandbox.writeTextFile({ path: 'b.txt', content: 'one\ntwo\nthree\n' })
    expect(await sandbox.readTextFile({ path: 'b.txt', startLine: 2, endLine: 9 })).toBe(
      'two\nthree\n',
    )
    expect(await sandbox.stat({ path: 'b.txt' })).toEqual({ type: 'file', size: 14 })
    expect(await sandbox.listDirectory({ path: '.' })).toEqual([
      { name: 'b.txt', type: 'file' },
      { name: 'deep', type: 'directory' },
    ])
    expect(await sandbox.deleteFile({ path: 'b.txt' })).toBe(true)
    expect(await sandbox.deleteFile({ path: 'b.txt' })).toBe(false)
    expect(await sandbox.readTextFile({ path: 'b.txt' })).toBeNull()
    expect(await sandbox.stat({ path: 'b.txt' })).toBeNull()
    expect(await sandbox.listDirectory({ path: 'none' })).toBeNull()
    await expect(sandbox.readTextFile({ path: '../outside' })).rejects.toMatchObject({
      code: 'invalid_input',
    })
  })

  test('long output comes whole, and a signal as a code', async () => {
    const command = 'seq 100000; seq 30000 >&2'
    const { stdout, stderr } = await open('long').run({ command })
    expect([stdout.length, stderr.length]).toEqual([588_895, 168_894])
    expect((await open('long').run({ command: 'kill -9 $$' })).exitCode).toBe(137)
  })

  test('a process streams its output, reads its input, and ends', async () => {
    const process = await open('spawn').spawn({ command: 'cat; echo end >&2; exit 4', stdin: true })
    const writer = process.stdin.getWriter()
    await writer.write(new TextEncoder().encode('hello\n'))
    await writer.close()
    expect(await new Response(process.stdout).text()).toBe('hello\n')
    expect(await new Response(process.stderr).text()).toBe('end\n')
    expect(await process.wait()).toEqual({ exitCode: 4 })
    const sleeper = await open('spawn').spawn({ command: 'sleep 60' })
    await sleeper.kill()
    await sleeper.kill()
    expect(await sleeper.wait()).toEqual({ exitCode: 143 })
    const leaving = new AbortController()
    const aborted = await open('spawn').spawn({
      command: 'sleep 60',
      abortSignal: leaving.signal,
    })
    leaving.abort(new Error('gone'))
    await expect(aborted.wait()).rejects.toThrow('gone')
  })

  test('the mode of the workspace and the tools of the agent hold', async () => {
    const file = { path: 'a.txt', content: 'x' }
    const binary = { path: 'a.bin', content: Uint8Array.of(0) }
    const reader = open('modes-1', 'reader')
    await expect(reader.writeTextFile(file)).rejects.toMatchObject({ code: 'denied' })
    await expect(reader.writeBinaryFile(binary)).rejects.toMatchObject({ code: 'denied' })
    expect((await reader.run({ command: 'touch a.txt || exit 9' })).exitCode).toBe(9)
    const asker = open('modes-2', 'asker')
    const asked = { code: 'approval_required' }
    await expect(asker.writeTextFile(file)).rejects.toMatchObject(asked)
    await expect(asker.run({ command: 'true' })).rejects.toMatchObject(asked)
    await expect(asker.writeBinaryFile(binary)).rejects.toMatchObject({ code: 'approval_required' })
    expect(await asker.readTextFile({ path: 'a.txt' })).toBeNull()
    const { items } = await crib.approvals.list({ status: 'pending' })
    expect(items).toEqual([])
    const plain = open('modes-3', 'plain')
    await expect(plain.run({ command: 'true' })).rejects.toMatchObject({ code: 'tool_not_found' })
    await expect(plain.stat({ path: 'a.txt' })).rejects.toMatchObject({ code: 'denied' })
  })

  test('it reaches only hosts that rules of the pack name', async () => {
    const { port } = server.address() as AddressInfo
    const rule = { id: 'local', pack: 'shell', allow: [`127.0.0.1:${port}`] }
    const { run } = open('network')
    const get = (url: string) =>
      run({ command: `perl -MIO::Socket::INET -e '${viaProxy}' ${url} || exit 1` })
    hits = 0
    expect((await get(`http://127.0.0.1:${port}/`)).stdout).not.toContain('from the server')
    await crib.api.writeNetworkRules(ownerOf(), { rules: [rule] })
    expect((await get(`http://127.0.0.1:${port}/`)).stdout).toContain('from the server')
    expect(hits).toBe(1)
    for (const url of ['http://other.example/', 'http://169.254.169.254/latest/meta-data/'])
      expect((await get(url)).stdout).toMatch(/ 403 /)
    const denied = async () => {
      const found: unknown[] = []
      for await (const { data } of crib.events({ types: ['network.denied'] })) found.push(data)
      return found
    }
    for (const host of ['other.example', '169.254.169.254'])
      await expect
        .poll(denied)
        .toContainEqual(expect.objectContaining({ host, pack: 'shell', tool: 'shell.exec' }))
    // A rule that names the metadata address does not open it.
    const open169 = { ...rule, allow: [...rule.allow, '169.254.169.254', '*'] }
    await crib.api.writeNetworkRules(ownerOf(), { rules: [open169] })
    expect((await get('http://169.254.169.254/')).stdout).toMatch(/ 403 /)
    expect(hits).toBe(1)
  })
})

/** Perl is on every system that has apt; curl is not. */
const viaProxy = [
  'my $s = IO::Socket::INET->new("127.0.0.1:3128") or exit 1;',
  'print $s "GET $ARGV[0] HTTP/1.1\\r\\nHost: " . ($ARGV[0] =~ m{//([^/]+)})[0] . "\\r\\nConnection: close\\r\\n\\r\\n";',
  'print while <$s>;',
].join(' ')
