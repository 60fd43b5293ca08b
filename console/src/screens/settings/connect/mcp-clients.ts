/** The configuration of an MCP client, the same as `toolcrib mcp config <client>` prints. */
export interface McpClientGuide {
  client: string
  title: string
  /** Its configuration file. */
  file: string
  /** Where the file is, in words. */
  where?: string
  /** The file's content for this URL, with the key or a reference to it. */
  snippet(address: string, key: string | undefined): string
  /** Where the key comes from if it is not in the file. */
  keyHint: string
  nextStep: string
}

const variable = 'TOOLCRIB_KEY'
const inVariable = `Set ${variable} to a key in its environment.`

const bearer = (key: string | undefined, reference: string) => ({
  Authorization: `Bearer ${key ?? reference}`,
})
const json = (value: object) => JSON.stringify(value, null, 2)

/** The clients that `toolcrib mcp config` knows. A test compares the two. */
export const mcpClients: readonly McpClientGuide[] = [
  {
    client: 'claude-code',
    title: 'Claude Code',
    file: '.mcp.json',
    where: 'in the project folder',
    snippet: (url, key) =>
      json({
        mcpServers: {
          toolcrib: { type: 'http', url, headers: bearer(key, `\${${variable}}`) },
        },
      }),
    keyHint: inVariable,
    nextStep: 'Start claude in that folder; /mcp shows the connection.',
  },
  {
    client: 'claude-desktop',
    title: 'Claude Desktop',
    file: 'claude_desktop_config.json',
    where: '(Settings, Developer, Edit config)',
    snippet: (url, key) =>
      json({
        mcpServers: {
          toolcrib: {
            command: 'npx',
            args: ['-y', 'toolcrib', 'mcp', ...toProgramArgs(url)],
            env: { [variable]: key ?? 'crib_…' },
          },
        },
      }),
    keyHint: 'Replace crib_… with a key.',
    nextStep: 'Quit Claude Desktop and open it again.',
  },
  {
    client: 'cursor',
    title: 'Cursor',
    file: '~/.cursor/mcp.json',
    snippet: (url, key) =>
      json({ mcpServers: { toolcrib: { url, headers: bearer(key, `\${env:${variable}}`) } } }),
    keyHint: inVariable,
    nextStep: 'Cursor shows it under Settings, MCP.',
  },
  {
    client: 'vscode',
    title: 'VS Code',
    file: '.vscode/mcp.json',
    where: 'in the project folder',
    snippet: (url, key) =>
      json({
        ...(key === undefined && {
          inputs: [
            {
              type: 'promptString',
              id: 'toolcrib-key',
              description: 'Toolcrib API key',
              password: true,
            },
          ],
        }),
        servers: {
          toolcrib: { type: 'http', url, headers: bearer(key, '${input:toolcrib-key}') },
        },
      }),
    keyHint: 'It asks for a key when it first connects.',
    nextStep: 'Press Start above the entry in the editor.',
  },
  {
    client: 'codex',
    title: 'Codex',
    file: '~/.codex/config.toml',
    snippet: (url) =>
      [
        '[mcp_servers.toolcrib]',
        `url = ${JSON.stringify(url)}`,
        `bearer_token_env_var = "${variable}"`,
      ].join('\n'),
    keyHint: inVariable,
    nextStep: 'Restart codex; /mcp shows the connection.',
  },
  {
    client: 'gemini',
    title: 'Gemini CLI',
    file: '~/.gemini/settings.json',
    snippet: (httpUrl, key) =>
      json({ mcpServers: { toolcrib: { httpUrl, headers: bearer(key, `$${variable}`) } } }),
    keyHint: inVariable,
    nextStep: 'Restart gemini; /mcp shows the connection.',
  },
]

/** Its file supports programs only, so a local program bridges to the server. */
function toProgramArgs(address: string): string[] {
  const { origin, pathname } = new URL(address)
  const agent = pathname.split('/')[2]
  return ['--url', origin, ...(agent ? ['--agent', decodeURIComponent(agent)] : [])]
}
