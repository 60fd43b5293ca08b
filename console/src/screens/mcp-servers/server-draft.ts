import type { Pair } from '../../ui/pairs/pair-rows.tsx'
import type { McpServerSpec } from './server-queries.ts'

/** The settings of a server while they are edited. */
export interface ServerDraft {
  kind: 'http' | 'stdio'
  title: string
  command: string
  /** One per line. */
  args: string
  cwd: string
  env: Pair[]
  url: string
  headers: Pair[]
  signIn: 'none' | 'each' | 'shared'
  scopes: string[]
  clientId: string
  clientSecret: string
  isPrivate: boolean
  allow: string[]
  deny: string[]
  /** Tools whose own hints are trusted. */
  trustHints: string[]
  timeoutMs: number | ''
  isPinned: boolean
  isEnabled: boolean
}

export const blankServer: ServerDraft = {
  kind: 'http',
  title: '',
  command: '',
  args: '',
  cwd: '',
  env: [],
  url: '',
  headers: [],
  signIn: 'none',
  scopes: [],
  clientId: '',
  clientSecret: '',
  isPrivate: false,
  allow: [],
  deny: [],
  trustHints: [],
  timeoutMs: '',
  isPinned: true,
  isEnabled: true,
}

/** Stored settings as a draft. */
export function toDraft(spec: McpServerSpec): ServerDraft {
  const { title, command, args, cwd, env, url, headers, oauth } = spec
  const { allow, deny, trustHints, timeoutMs, pin, enabled } = spec
  return {
    ...blankServer,
    kind: command === undefined ? 'http' : 'stdio',
    env: toPairs(env),
    headers: toPairs(headers),
    ...fromSignIn(oauth),
    ...given({ title, command, cwd, url, allow, deny, trustHints, timeoutMs }),
    ...given({ args: args?.join('\n'), isPinned: pin, isEnabled: enabled }),
    ...given({ isPrivate: spec.private }),
  }
}

function fromSignIn(oauth: McpServerSpec['oauth']): Partial<ServerDraft> {
  if (oauth === undefined) return {}
  const { scopes, clientId, clientSecret, perUser } = oauth
  const signIn = perUser === false ? 'shared' : 'each'
  return { signIn, ...given({ scopes, clientId, clientSecret }) }
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

/** Without undefined values. */
function given<T extends object>(fields: T): Given<T> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Given<T>
}

/** The draft as the API takes it, with filled-in fields only. */
export function toSpec(draft: ServerDraft): McpServerSpec {
  const { title, allow, deny, trustHints, timeoutMs, isPinned, isEnabled } = draft
  return {
    ...(draft.kind === 'stdio' ? toProgram(draft) : toAddress(draft)),
    ...(title !== '' && { title }),
    ...(allow.length > 0 && { allow }),
    ...(deny.length > 0 && { deny }),
    ...(trustHints.length > 0 && { trustHints }),
    ...(timeoutMs !== '' && { timeoutMs }),
    ...(!isPinned && { pin: false }),
    ...(!isEnabled && { enabled: false }),
  }
}

function toProgram({ command, args, cwd, env }: ServerDraft): McpServerSpec {
  const list = args.split('\n').filter((arg) => arg !== '')
  return {
    command: command.trim(),
    ...(list.length > 0 && { args: list }),
    ...(cwd !== '' && { cwd }),
    ...(env.length > 0 && { env: fromPairs(env) }),
  }
}

function toAddress(draft: ServerDraft): McpServerSpec {
  const { url, headers, signIn, scopes, clientId, clientSecret, isPrivate } = draft
  const oauth = {
    ...(scopes.length > 0 && { scopes }),
    ...(clientId !== '' && { clientId }),
    ...(clientSecret !== '' && { clientSecret }),
    ...(signIn === 'shared' && { perUser: false }),
  }
  return {
    url: url.trim(),
    ...(headers.length > 0 && { headers: fromPairs(headers) }),
    ...(signIn !== 'none' && { oauth }),
    ...(isPrivate && { private: true }),
  }
}

/** The changed fields only; null removes a field. */
export function toServerChange(before: McpServerSpec, draft: ServerDraft): Record<string, unknown> {
  const after: Record<string, unknown> = toSpec(draft)
  const was: Record<string, unknown> = toSpec(toDraft(before))
  const keys = new Set([...Object.keys(was), ...Object.keys(after)])
  const changed = [...keys].filter((key) => JSON.stringify(was[key]) !== JSON.stringify(after[key]))
  return Object.fromEntries(changed.map((key) => [key, after[key] ?? null]))
}

function toPairs(record: Record<string, string> | undefined): Pair[] {
  return Object.entries(record ?? {}).map(([name, value]) => ({ name, value }))
}

function fromPairs(pairs: readonly Pair[]): Record<string, string> {
  return Object.fromEntries(
    pairs.filter(({ name }) => name !== '').map(({ name, value }) => [name, value]),
  )
}
