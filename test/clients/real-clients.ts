import { readFile, writeFile, mkdir } from 'node:fs/promises'
import path from 'node:path'

/** A coding agent of somebody else's, as people install it. */
export interface RealClient {
  /** As `toolcrib mcp config` calls it. */
  config: 'claude-code' | 'codex' | 'gemini'
  package: string
  /** Arguments that hand it a task and let it use every tool. */
  run(task: string): string[]
  env(modelUrl: string): Record<string, string>
  /** What a person would answer to its questions at the first start, and which model it is to ask. */
  prepare(place: { home: string; folder: string; modelUrl: string }): Promise<void>
}

const claude: RealClient = {
  config: 'claude-code',
  package: '@anthropic-ai/claude-code@2.1.325',
  run: (task) => ['claude', '-p', task, '--allowedTools', 'mcp__stdio,mcp__http,mcp__asks'],
  env: (url) => ({
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'none',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    // By default it shows its model a search, and not the tools.
    ENABLE_TOOL_SEARCH: 'false',
  }),
  async prepare({ home }) {
    const file = path.join(home, '.claude', 'settings.json')
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, JSON.stringify({ enableAllProjectMcpServers: true }))
  },
}

const codex: RealClient = {
  config: 'codex',
  package: '@openai/codex@0.166.0',
  run: (task) => [
    'codex',
    'exec',
    '--skip-git-repo-check',
    '--dangerously-bypass-approvals-and-sandbox',
    task,
  ],
  env: () => ({ MODEL_KEY: 'none' }),
  async prepare({ home, modelUrl }) {
    const file = path.join(home, '.codex', 'config.toml')
    const provider = { name: 'played', base_url: `${modelUrl}/v1`, env_key: 'MODEL_KEY' }
    const lines = [
      'model = "played"',
      'model_provider = "played"',
      '[model_providers.played]',
      'wire_api = "responses"',
      ...Object.entries(provider).map(([key, value]) => `${key} = ${JSON.stringify(value)}`),
    ]
    await writeFile(file, `${lines.join('\n')}\n${await readFile(file, 'utf8')}`)
  },
}

const gemini: RealClient = {
  config: 'gemini',
  package: '@google/gemini-cli@0.61.0',
  run: (task) => ['gemini', '-y', '-m', 'gemini-2.5-flash', '-p', task],
  env: (url) => ({ GEMINI_API_KEY: 'none', GOOGLE_GEMINI_BASE_URL: url }),
  async prepare({ home, folder }) {
    const file = path.join(home, '.gemini', 'settings.json')
    const settings = JSON.parse(await readFile(file, 'utf8')) as object
    const security = { auth: { selectedType: 'gemini-api-key' } }
    await writeFile(file, JSON.stringify({ ...settings, security }))
    const trusted = path.join(path.dirname(file), 'trustedFolders.json')
    await writeFile(trusted, JSON.stringify({ [folder]: 'TRUST_FOLDER' }))
  },
}

export const realClients: readonly RealClient[] = [claude, codex, gemini]
