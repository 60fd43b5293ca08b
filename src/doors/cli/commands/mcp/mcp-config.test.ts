import { mkdir, mkdtemp, readFile, readdir, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { CliEnvironment } from '../../environment.ts'
import { runLine } from '../../testing/run-line.ts'

const program = ['/opt/node', '/opt/toolcrib']

async function config(words: string[], { cwd = '/desk', home = '/people/ada' } = {}) {
  return runLine(['mcp', 'config', ...words], {
    cwd,
    env: { HOME: home },
    more: { program },
  })
}

async function shown(words: string[]): Promise<unknown> {
  const { out, code } = await config([...words, '--json'])
  expect(code).toBe(0)
  return JSON.parse(out)
}

const args = ['/opt/toolcrib', 'mcp', '--data', '/desk/.toolcrib']
const started = { command: '/opt/node', args }
const bearer = (key: string) => ({ Authorization: `Bearer ${key}` })
const url = 'https://crib.example.com'

test.each([
  ['cursor', '/people/ada/.cursor/mcp.json', { mcpServers: { toolcrib: started } }],
  ['gemini', '/people/ada/.gemini/settings.json', { mcpServers: { toolcrib: started } }],
  ['claude-code', '/desk/.mcp.json', { mcpServers: { toolcrib: { type: 'stdio', ...started } } }],
  ['vscode', '/desk/.vscode/mcp.json', { servers: { toolcrib: { type: 'stdio', ...started } } }],
  [
    'codex',
    '/people/ada/.codex/config.toml',
    '[mcp_servers.toolcrib]\ncommand = "/opt/node"\nargs = ["/opt/toolcrib", "mcp", "--data", "/desk/.toolcrib"]',
  ],
])('%s starts the program that is here', async (client, file, snippet) => {
  expect(await shown([client])).toEqual({ client, transport: 'stdio', file, snippet })
})

test.each([
  [
    'claude-code',
    {
      mcpServers: {
        toolcrib: { type: 'http', url: `${url}/mcp/support`, headers: bearer('${TOOLCRIB_KEY}') },
      },
    },
  ],
  [
    'cursor',
    {
      mcpServers: {
        toolcrib: { url: `${url}/mcp/support`, headers: bearer('${env:TOOLCRIB_KEY}') },
      },
    },
  ],
  [
    'gemini',
    {
      mcpServers: {
        toolcrib: { httpUrl: `${url}/mcp/support`, headers: bearer('$TOOLCRIB_KEY') },
      },
    },
  ],
  [
    'vscode',
    {
      inputs: [
        {
          type: 'promptString',
          id: 'toolcrib-key',
          description: 'Toolcrib API key',
          password: true,
        },
      ],
      servers: {
        toolcrib: {
          type: 'http',
          url: `${url}/mcp/support`,
          headers: bearer('${input:toolcrib-key}'),
        },
      },
    },
  ],
  [
    'codex',
    `[mcp_servers.toolcrib]\nurl = "${url}/mcp/support"\nbearer_token_env_var = "TOOLCRIB_KEY"`,
  ],
])('%s connects over HTTP and is pointed to its key', async (client, snippet) => {
  expect(await shown([client, '--url', url, '--agent', 'support'])).toMatchObject({
    transport: 'http',
    snippet,
  })
})

test('Claude Desktop, whose file takes programs alone, reaches a server through one', async () => {
  expect(await shown(['claude-desktop', '--url', url])).toMatchObject({
    transport: 'stdio',
    snippet: {
      mcpServers: {
        toolcrib: {
          command: '/opt/node',
          args: ['/opt/toolcrib', 'mcp', '--url', url],
          env: { TOOLCRIB_KEY: 'crib_…' },
        },
      },
    },
  })
})

test('a client that nobody knows is answered with those there are', async () => {
  const { code, err } = await config(['cursors'])
  expect([code, err]).toEqual([2, expect.stringContaining('toolcrib mcp config cursor')])
  expect((await config([])).code).toBe(2)
})

async function placed(words: string[], more: Partial<CliEnvironment>) {
  const line = ['mcp', 'config', 'cursor', '--json', ...words]
  const { out } = await runLine(line, { cwd: '/desk', more: { program, ...more } })
  const { snippet } = JSON.parse(out) as {
    snippet: { mcpServers: { toolcrib: { args: string[] } } }
  }
  return snippet.mcpServers.toolcrib.args.slice(2)
}

test('the program opens the crib of this folder from anywhere: its configuration is named', async () => {
  const data = ['--data', '/desk/.toolcrib']
  const withFile = { findSetup: async () => ({ config: '/desk/toolcrib.config.ts', tools: [] }) }
  const found = ['--config', '/desk/toolcrib.config.ts']
  expect(await placed([], withFile)).toEqual([...data, ...found])
  const given = ['--tools', 'mine', '--tools', '/theirs', '--database', 'postgres://db/crib']
  const absolute = given.map((word) => (word === 'mine' ? '/desk/mine' : word))
  expect(await placed([...given, '--tenant', 'acme'], withFile)).toEqual([
    ...data,
    ...found,
    ...absolute,
    '--tenant',
    'acme',
  ])
  expect(await placed(['--config', 'other.yaml'], withFile)).toEqual([
    ...data,
    '--config',
    '/desk/other.yaml',
  ])
  const withFolder = { findSetup: async () => ({ tools: ['/desk/tools'] }) }
  expect(await placed([], withFolder)).toEqual([...data, '--tools', '/desk/tools'])
  expect(await placed(['--tools', 'mine'], withFolder)).toEqual([...data, '--tools', '/desk/mine'])
})

async function folder() {
  return mkdtemp(path.join(tmpdir(), 'toolcrib-config-'))
}

test('a server is written beside what the file holds, which is kept as a copy', async () => {
  const home = await folder()
  const file = path.join(home, '.cursor/mcp.json')
  await mkdir(path.dirname(file))
  const before = JSON.stringify({ theme: 'dark', mcpServers: { other: { command: 'x' } } })
  await writeFile(file, before, { mode: 0o640 })
  expect((await config(['cursor', '--write'], { home })).code).toBe(0)
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
    theme: 'dark',
    mcpServers: { other: { command: 'x' }, toolcrib: started },
  })
  expect((await stat(file)).mode & 0o777).toBe(0o640)
  expect(await readFile(`${file}.before-toolcrib`, 'utf8')).toBe(before)
  expect(await readdir(path.dirname(file))).toEqual(['mcp.json', 'mcp.json.before-toolcrib'])
})

test('a file that is new is for its owner alone', async () => {
  const home = await folder()
  await config(['gemini', '--write'], { home })
  expect((await stat(path.join(home, '.gemini/settings.json'))).mode & 0o777).toBe(0o600)
})

test.each(['cursor', 'vscode', 'gemini'])(
  'no copy is made of a file that %s got from here alone',
  async (client) => {
    const home = await folder()
    const where = { home, cwd: home }
    await config([client, '--write'], where)
    for (const more of [[], ['--url', url], ['--name', 'second'], ['--url', url]]) {
      const { code, err } = await config([client, '--write', ...more], where)
      expect([code, err]).toEqual([0, expect.not.stringContaining('What was there')])
    }
    const files = await readdir(home, { recursive: true })
    expect(files.filter((file) => file.endsWith('.before-toolcrib'))).toEqual([])
  },
)

test('an entry that somebody else wrote is kept as a copy, whatever its name', async () => {
  const home = await folder()
  const file = path.join(home, '.cursor/mcp.json')
  await mkdir(path.dirname(file))
  const before = JSON.stringify({ mcpServers: { toolcrib: { command: 'mine' } } })
  await writeFile(file, before)
  await config(['cursor', '--write'], { home })
  expect(await readFile(`${file}.before-toolcrib`, 'utf8')).toBe(before)
})

test('a link to the file stays a link', async () => {
  const home = await folder()
  await mkdir(path.join(home, '.gemini'))
  const real = path.join(home, 'dotfiles.json')
  await writeFile(real, '{}')
  await symlink(real, path.join(home, '.gemini/settings.json'))
  await config(['gemini', '--write'], { home })
  expect(JSON.parse(await readFile(real, 'utf8'))).toEqual({ mcpServers: { toolcrib: started } })
})

test.each(['{ // with a comment\n}', '[]', '{"mcpServers": []}', 'null'])(
  'a file that holds %s is left as it is',
  async (text) => {
    const home = await folder()
    const file = path.join(home, '.gemini/settings.json')
    await mkdir(path.dirname(file))
    await writeFile(file, text)
    const { code, err } = await config(['gemini', '--write'], { home })
    expect(code).not.toBe(0)
    expect(err).toContain('was not changed')
    expect(await readFile(file, 'utf8')).toBe(text)
  },
)

test('a TOML file gets one more table, and none twice', async () => {
  const home = await folder()
  const file = path.join(home, '.codex/config.toml')
  await mkdir(path.dirname(file))
  await writeFile(file, 'model = "x"\n\n[mcp_servers.other]\ncommand = "y"\n')
  expect((await config(['codex', '--write'], { home })).code).toBe(0)
  const after = await readFile(file, 'utf8')
  expect(after).toMatch(
    /^model = "x"\n\n\[mcp_servers\.other\]\ncommand = "y"\n\n\[mcp_servers\.toolcrib\]\n/,
  )
  expect((await config(['codex', '--write'], { home })).code).not.toBe(0)
  expect(await readFile(file, 'utf8')).toBe(after)
})

test('--create-key creates a key that may only call tools, and shows it in the configuration', async () => {
  const bodies: unknown[] = []
  const fetch = async (_url: string, init?: RequestInit) => {
    bodies.push(JSON.parse(init?.body as string))
    return Response.json({ key: { id: 'k1', name: 'n', scopes: [] }, token: 'crib_made' })
  }
  const words = ['mcp', 'config', 'cursor', '--url', url, '--agent', 'support', '--create-key']
  const { out } = await runLine([...words, '--json'], {
    env: { HOME: '/people/ada', TOOLCRIB_KEY: 'crib_mine' },
    more: { program, fetch },
  })
  expect(bodies).toEqual([{ name: 'MCP: cursor', scopes: ['tools.call'], agent: 'support' }])
  expect(JSON.parse(out)).toMatchObject({
    keyId: 'k1',
    snippet: { mcpServers: { toolcrib: { headers: bearer('crib_made') } } },
  })
  expect(out).not.toContain('crib_mine')
})
