import type { CommandContext, OptionSpecs } from '../command.ts'
import { parseDuration } from '../parse-duration.ts'
import { usageError } from '../parse-options.ts'

/** How `mcp add` says what a server is. */
export const serverOptions = {
  env: {
    type: 'string',
    value: 'K=V',
    multiple: true,
    summary: 'add: its environment; may repeat',
  },
  header: {
    type: 'string',
    value: 'K=V',
    multiple: true,
    summary: 'add: sent with every request; may repeat',
  },
  cwd: { type: 'string', value: 'DIR', summary: 'add: where its program runs' },
  title: { type: 'string', value: 'TEXT', summary: 'add: what people call it' },
  allow: { type: 'string', value: 'TOOL', multiple: true, summary: 'add: of its tools only these' },
  deny: { type: 'string', value: 'TOOL', multiple: true, summary: 'add: never these' },
  timeout: { type: 'string', value: 'TIME', summary: 'add: how long a call may take (60s)' },
  oauth: { type: 'boolean', summary: 'add: people sign in to it by OAuth' },
  shared: { type: 'boolean', summary: 'add: with --oauth, one sign-in for the whole tenant' },
  scope: { type: 'string', value: 'SCOPE', multiple: true, summary: 'add: asked for at sign-in' },
  'client-id': { type: 'string', value: 'ID', summary: 'add: how we are known there already' },
  'client-secret': { type: 'string', value: 'secret:NAME', summary: 'add: the secret to that' },
  private: { type: 'boolean', summary: 'add: its address is not of the public internet' },
} as const satisfies OptionSpecs

/** The server that a command line describes, as the API takes it. */
export function toServerSpec({ words, options }: CommandContext): Record<string, unknown> {
  const [, , ...rest] = words
  const [first = '', ...more] = rest
  const isAddress = rest.length === 1 && /^https?:\/\//i.test(first)
  const url = options.text('url') ?? (isAddress ? first : undefined)
  const command = isAddress || rest.length === 0 ? undefined : first
  if ((url === undefined) === (command === undefined)) {
    throw usageError(
      url === undefined ? 'Where is the server?' : 'It has an address and a program.',
      'Write: toolcrib mcp add docs --url https://docs.example/mcp, or: toolcrib mcp add files -- npx -y @modelcontextprotocol/server-filesystem /tmp',
    )
  }
  const timeout = options.text('timeout')
  const defined = {
    url,
    command,
    args: command === undefined ? undefined : more,
    env: toPairs(options.texts('env'), 'env'),
    headers: toPairs(options.texts('header'), 'header'),
    cwd: options.text('cwd'),
    title: options.text('title'),
    allow: orNone(options.texts('allow')),
    deny: orNone(options.texts('deny')),
    timeoutMs: timeout === undefined ? undefined : parseDuration('--timeout', timeout),
    oauth: toOAuth(options),
    private: options.flag('private') ? true : undefined,
  }
  return Object.fromEntries(Object.entries(defined).filter(([, value]) => value !== undefined))
}

function toOAuth(options: CommandContext['options']): Record<string, unknown> | undefined {
  const scopes = options.texts('scope')
  const clientId = options.text('client-id')
  const clientSecret = options.text('client-secret')
  const isWanted = options.flag('oauth') || options.flag('shared') || scopes.length > 0 || clientId
  if (!isWanted) return undefined
  return {
    scopes,
    perUser: !options.flag('shared'),
    ...(clientId !== undefined && { clientId }),
    ...(clientSecret !== undefined && { clientSecret }),
  }
}

/** `K=V` or `K: V`. */
function toPairs(texts: readonly string[], name: string): Record<string, string> | undefined {
  if (texts.length === 0) return undefined
  return Object.fromEntries(
    texts.map((text) => {
      const [, key, value] = /^([^=:\s]+)\s*(?:=|:\s*)(.*)$/s.exec(text) ?? []
      if (key !== undefined && value !== undefined) return [key, value]
      throw usageError(`--${name} ${text} is no pair.`, `Write --${name} NAME=value.`)
    }),
  )
}

function orNone(texts: readonly string[]): readonly string[] | undefined {
  return texts.length === 0 ? undefined : texts
}
