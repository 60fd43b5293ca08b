import { join } from 'node:path'

/** The MCP clients that a ready configuration is made for. */
export const mcpClients = [
  'claude-desktop',
  'claude-code',
  'cursor',
  'vscode',
  'codex',
  'gemini',
] as const

export type McpClient = (typeof mcpClients)[number]

/** A program that the client starts and talks to on stdio. */
export interface StdioEntry {
  command: string
  args: readonly string[]
  env?: Readonly<Record<string, string>>
}

/** A server that it reaches over HTTP. */
export interface HttpEntry {
  url: string
  /** The key to write into the file; without one, the file refers to where it is. */
  key?: string
}

/** Facts of this machine that decide where a client's file is. */
export interface Machine {
  platform: string
  home: string
  cwd: string
  env: Readonly<Record<string, string | undefined>>
}

/** Where a client keeps its servers, and how it writes one. Formats as their makers document them (November 2026). */
export interface ClientConfig {
  title: string
  format: 'json' | 'toml'
  file(machine: Machine): string
  /** The key of the file under which servers stand by name. */
  section: string
  stdio(entry: StdioEntry): Record<string, unknown>
  /** Undefined where its file takes programs alone. */
  http?(entry: HttpEntry): Record<string, unknown>
  /** Entries beside the section, for servers over HTTP whose key is not in the file. */
  beside?: Readonly<Record<string, readonly Record<string, unknown>[]>>
  /** Does the file take a key as text? Otherwise it is named by its variable. */
  holdsKey: boolean
  /** What to do once it is there. */
  nextStep: string
}

/** The variable that clients are pointed to for a key. */
export const keyVariable = 'TOOLCRIB_KEY'

const plainStdio = ({ command, args, env }: StdioEntry) => ({ command, args, ...(env && { env }) })

const authorized = (key: string | undefined, reference: string) => ({
  Authorization: `Bearer ${key ?? reference}`,
})

export const clientConfigs: Readonly<Record<McpClient, ClientConfig>> = {
  'claude-desktop': {
    title: 'Claude Desktop',
    format: 'json',
    file: ({ platform, home, env }) =>
      join(desktopFolder(platform, home, env), 'Claude', 'claude_desktop_config.json'),
    section: 'mcpServers',
    stdio: plainStdio,
    holdsKey: true,
    nextStep: 'Quit Claude Desktop and open it again.',
  },
  'claude-code': {
    title: 'Claude Code',
    format: 'json',
    file: ({ cwd }) => join(cwd, '.mcp.json'),
    section: 'mcpServers',
    stdio: (entry) => ({ type: 'stdio', ...plainStdio(entry) }),
    http: ({ url, key }) => ({
      type: 'http',
      url,
      headers: authorized(key, `\${${keyVariable}}`),
    }),
    holdsKey: true,
    nextStep: 'Start claude in that folder; /mcp shows the connection.',
  },
  cursor: {
    title: 'Cursor',
    format: 'json',
    file: ({ home }) => join(home, '.cursor', 'mcp.json'),
    section: 'mcpServers',
    stdio: plainStdio,
    http: ({ url, key }) => ({ url, headers: authorized(key, `\${env:${keyVariable}}`) }),
    holdsKey: true,
    nextStep: 'Cursor shows it under Settings, MCP.',
  },
  vscode: {
    title: 'VS Code',
    format: 'json',
    file: ({ cwd }) => join(cwd, '.vscode', 'mcp.json'),
    section: 'servers',
    stdio: (entry) => ({ type: 'stdio', ...plainStdio(entry) }),
    http: ({ url, key }) => ({
      type: 'http',
      url,
      headers: authorized(key, '${input:toolcrib-key}'),
    }),
    beside: {
      inputs: [
        {
          type: 'promptString',
          id: 'toolcrib-key',
          description: 'Toolcrib API key',
          password: true,
        },
      ],
    },
    holdsKey: true,
    nextStep: 'Press Start above the entry in the editor.',
  },
  codex: {
    title: 'Codex',
    format: 'toml',
    file: ({ home, env }) => join(env['CODEX_HOME'] || join(home, '.codex'), 'config.toml'),
    section: 'mcp_servers',
    stdio: plainStdio,
    http: ({ url }) => ({ url, bearer_token_env_var: keyVariable }),
    holdsKey: false,
    nextStep: 'Restart codex; /mcp shows the connection.',
  },
  gemini: {
    title: 'Gemini CLI',
    format: 'json',
    file: ({ home }) => join(home, '.gemini', 'settings.json'),
    section: 'mcpServers',
    stdio: plainStdio,
    http: ({ url, key }) => ({ httpUrl: url, headers: authorized(key, `$${keyVariable}`) }),
    holdsKey: true,
    nextStep: 'Restart gemini; /mcp shows the connection.',
  },
}

function desktopFolder(platform: string, home: string, env: Machine['env']): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support')
  if (platform === 'win32') return env['APPDATA'] || join(home, 'AppData', 'Roaming')
  return env['XDG_CONFIG_HOME'] || join(home, '.config')
}
