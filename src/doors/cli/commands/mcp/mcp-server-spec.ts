import type { CommandContext, OptionSpecs } from '../../command.ts'
import { parseDuration } from '../../parse-duration.ts'
import { usageError } from '../../parse-options.ts'

/** The options of `mcp add` and `mcp edit` that describe a server. */
export const serverOptions = {
  env: {
    type: 'string',
    value: 'K=V',
    multiple: true,
    summary: 'add, edit: its environment; may repeat',
  },
  header: {
    type: 'string',
    value: 'K=V',
    multiple: true,
    summary: 'add, edit: sent with every request; may repeat',
  },
  cwd: { type: 'string', value: 'DIR', summary: 'add, edit: where its program runs' },
  title: { type: 'string', value: 'TEXT', summary: 'add, edit: its name for people' },
  allow: {
    type: 'string',
    value: 'TOOL',
    multiple: true,
    summary: 'add, edit: use only these of its tools',
  },
  deny: { type: 'string', value: 'TOOL', multiple: true, summary: 'add, edit: never use these' },
  timeout: { type: 'string', value: 'TIME', summary: 'add, edit: how long a call may take (60s)' },
  oauth: { type: 'boolean', summary: 'add, edit: people sign in to it by OAuth' },
  shared: { type: 'boolean', summary: 'add, edit: with --oauth, one sign-in for the whole tenant' },
  scope: {
    type: 'string',
    value: 'SCOPE',
    multiple: true,
    summary: 'add, edit: requested at sign-in',
  },
  'client-id': {
    type: 'string',
    value: 'ID',
    summary: 'add, edit: the OAuth client registered there',
  },
  'client-secret': {
    type: 'string',
    value: 'secret:NAME',
    summary: 'add, edit: its OAuth client secret',
  },
  'tool-timeout': {
    type: 'string',
    value: 'TOOL=TIME',
    multiple: true,
    summary: 'add, edit: how long calls of one tool may take; may repeat',
  },
  effect: {
    type: 'string',
    value: 'TOOL=EFFECT',
    multiple: true,
    summary: 'add, edit: the effect of a tool: read, write or destructive; may repeat',
  },
  'trust-hints': {
    type: 'string',
    value: 'TOOL',
    multiple: true,
    mayBeEmpty: true,
    summary: "add, edit: trust the hints of these tools about themselves ('*' for all); may repeat",
  },
  'max-result': {
    type: 'string',
    value: 'BYTES',
    summary: 'add, edit: refuse larger results (4194304)',
  },
  'max-output': {
    type: 'string',
    value: 'BYTES',
    summary: 'add, edit: cut larger results, and keep the whole as an artifact (51200)',
  },
  idle: {
    type: 'string',
    value: 'TIME',
    summary: 'add, edit: stop it when unused for so long (10m)',
  },
  pin: {
    type: 'string',
    value: 'on|off',
    summary: 'add, edit: set changed tools aside (on)',
  },
  private: { type: 'boolean', summary: 'add, edit: allow a private address' },
} as const satisfies OptionSpecs

/** The server that a command line describes, as the API takes it. */
export function toServerSpec(context: CommandContext): Record<string, unknown> {
  const spec = toServerChange(context)
  const { url, command } = spec
  if ((url === undefined) !== (command === undefined)) return spec
  throw usageError(
    url === undefined
      ? 'The address or the program is missing.'
      : 'Give an address or a program, not both.',
    'Write: toolcrib mcp add docs --url https://docs.example/mcp, or: toolcrib mcp add files -- npx -y @modelcontextprotocol/server-filesystem /tmp',
  )
}

/** The fields of a server that the command line sets. */
export function toServerChange({ words, options }: CommandContext): Record<string, unknown> {
  const [, , ...rest] = words
  const [first = '', ...more] = rest
  const isAddress = rest.length === 1 && /^https?:\/\//i.test(first)
  const url = options.text('url') ?? (isAddress ? first : undefined)
  const command = isAddress || rest.length === 0 ? undefined : first
  return withoutUnset({
    url,
    command,
    args: command === undefined ? undefined : more,
    env: toPairs(options.texts('env'), 'env'),
    headers: toPairs(options.texts('header'), 'header'),
    cwd: options.text('cwd'),
    title: options.text('title'),
    allow: orNone(options.texts('allow')),
    deny: orNone(options.texts('deny')),
    timeoutMs: toMs(options, 'timeout'),
    timeouts: toTimes(toPairs(options.texts('tool-timeout'), 'tool-timeout')),
    effects: toPairs(options.texts('effect'), 'effect'),
    trustHints: orNone(options.texts('trust-hints')),
    maxResultBytes: toBytes(options, 'max-result'),
    maxOutputBytes: toBytes(options, 'max-output'),
    idleMs: toMs(options, 'idle'),
    pin: toSwitch(options.text('pin')),
    oauth: toOAuth(options),
    private: options.flag('private') ? true : undefined,
  })
}

function withoutUnset(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

function toMs(options: CommandContext['options'], name: string): number | undefined {
  const text = options.text(name)
  return text === undefined ? undefined : parseDuration(`--${name}`, text)
}

function toTimes(pairs: Record<string, string> | undefined): Record<string, number> | undefined {
  if (pairs === undefined) return undefined
  const times = Object.entries(pairs).map(([tool, text]) => [
    tool,
    parseDuration('--tool-timeout', text),
  ])
  return Object.fromEntries(times) as Record<string, number>
}

function toSwitch(text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined
  if (text === 'on' || text === 'off') return text === 'on'
  throw usageError(`--pin ${text} is not on or off.`, 'Write --pin off.')
}

function toBytes(options: CommandContext['options'], name: string): number | undefined {
  const text = options.text(name)
  if (text === undefined) return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw usageError(`--${name} ${text} is not a number of bytes.`, `Write --${name} 262144.`)
}

function toOAuth(options: CommandContext['options']): Record<string, unknown> | undefined {
  const scopes = options.texts('scope')
  const clientId = options.text('client-id')
  const clientSecret = options.text('client-secret')
  const isWanted = options.flag('oauth') || options.flag('shared') || scopes.length > 0 || clientId
  if (!isWanted) return undefined
  return {
    ...(scopes.length > 0 && { scopes }),
    ...(options.flag('shared') && { perUser: false }),
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
      throw usageError(`--${name} ${text} is not a pair.`, `Write --${name} NAME=value.`)
    }),
  )
}

/** An empty text clears the list: `--trust-hints ''`. */
function orNone(texts: readonly string[]): readonly string[] | undefined {
  return texts.length === 0 ? undefined : texts.filter((text) => text !== '')
}
