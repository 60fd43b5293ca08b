import { ToolError } from '../../core/errors.ts'

/** A model as an agent names it. */
export type ModelName =
  | { kind: 'demo' }
  | { kind: 'anthropic' | 'openai' | 'google' | 'bedrock'; model: string }
  | { kind: 'openai-compatible'; server: string; model: string }

const providers = ['anthropic', 'openai', 'google', 'bedrock'] as const

/** Reads `demo`, `<provider>/<model>` and `openai-compatible/<name>/<model>`. A model's own slashes stay. */
export function parseModelName(text: string): ModelName {
  if (text === 'demo') return { kind: 'demo' }
  const [provider = '', ...rest] = text.split('/')
  const kind = providers.find((known) => known === provider)
  const model = rest.join('/')
  if (kind !== undefined && model !== '') return { kind, model }
  const [server = '', ...more] = rest
  if (provider === 'openai-compatible' && server !== '' && more.join('/') !== '') {
    return { kind: 'openai-compatible', server, model: more.join('/') }
  }
  throw new ToolError('invalid_config', `${JSON.stringify(text.slice(0, 200))} is no model`, {
    fix: `Use demo, ${providers.map((name) => `${name}/<model>`).join(', ')} or openai-compatible/<name>/<model>.`,
  })
}
