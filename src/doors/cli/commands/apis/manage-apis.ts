import type { Api, ApiPreview, ApiRefresh } from '../../../../features/apis/schemas.ts'
import { apiFacts, previewFacts } from '../../../../features/apis/terminal.ts'
import type { CommandContext } from '../../command.ts'
import { exit } from '../../exit-codes.ts'
import { showRecord } from '../../operations/show-answer.ts'
import { toSafeLine } from '../../output/safe-text.ts'
import { parseDuration } from '../../parse-duration.ts'
import { usageError } from '../../parse-options.ts'
import { readDocument } from './read-document.ts'

/** `toolcrib apis preview …`: what a document would bring. */
export async function previewApi(context: CommandContext): Promise<number> {
  const [, address] = context.words
  const body = { ...(await toPlace(context, address)), ...toPrivate(context) }
  const { client } = await context.connect()
  const preview = await client.read<ApiPreview>('/apis/preview', { method: 'POST', body })
  const { screen } = context
  if (screen.isJson) screen.json(preview)
  else showRecord(screen, { record: previewFacts }, preview)
  return exit.ok
}

/** `toolcrib apis add <api> …`. */
export async function addApi(context: CommandContext): Promise<number> {
  const name = apiOf(context)
  const place = await toPlace(context, context.words[2])
  const body = { name, ...place, ...toSettings(context) }
  const { client } = await context.connect()
  const added = await client.read<Api>('/apis', { method: 'POST', body })
  const { screen } = context
  if (screen.isJson) {
    screen.json(added)
    return exit.ok
  }
  const { ready, quarantined } = added.toolCounts
  const aside = quarantined === 0 ? '' : `, ${quarantined} set aside`
  screen.out(`${screen.style('green', '✓')} ${toSafeLine(name)} is added: ${ready} tools${aside}`)
  for (const secret of added.missingSecrets) screen.out(`→ toolcrib secrets set ${secret}`)
  screen.out(`→ toolcrib apis tools ${name}`)
  return exit.ok
}

/** `toolcrib apis edit <api> …`: omitted options change nothing. */
export async function editApi(context: CommandContext): Promise<number> {
  const body = toSettings(context)
  if (Object.keys(body).length === 0) {
    throw usageError('There is nothing to change.', 'Write toolcrib apis edit <api> --timeout 1m')
  }
  const { client } = await context.connect()
  const changed = await client.read<Api>(pathOf(context), { method: 'PATCH', body })
  const { screen } = context
  if (screen.isJson) screen.json(changed)
  else showRecord(screen, { record: apiFacts }, changed)
  return exit.ok
}

/** `toolcrib apis refresh <api>`: what has changed in the document. */
export async function refreshApi(context: CommandContext): Promise<number> {
  const file = context.options.text('file')
  const body = file === undefined ? {} : await readDocument(context, file)
  const { client } = await context.connect()
  const path = `${pathOf(context)}/refresh`
  const { api, ...changes } = await client.read<ApiRefresh>(path, { method: 'POST', body })
  const { screen } = context
  if (screen.isJson) {
    screen.json({ api, ...changes })
    return exit.ok
  }
  const parts = (['added', 'changed', 'removed'] as const).flatMap((kind) =>
    changes[kind].length > 0 ? [`${changes[kind].length} ${kind}`] : [],
  )
  const said = parts.length > 0 ? parts.join(', ') : 'nothing has changed'
  screen.out(`${screen.style('green', '✓')} ${toSafeLine(api.name)}: ${said}`)
  if (api.toolCounts.quarantined > 0) screen.out(`→ toolcrib apis tools ${api.name}`)
  return exit.ok
}

async function toPlace(context: CommandContext, word: string | undefined) {
  const file = context.options.text('file')
  const isAddress = word !== undefined && /^https?:\/\//i.test(word)
  const url = context.options.text('url') ?? (isAddress ? word : undefined)
  if ((url === undefined) === (file === undefined) || (word !== undefined && !isAddress)) {
    throw usageError(
      'Give the document by its address or as a file.',
      'Write: toolcrib apis add petstore --url https://petstore3.swagger.io/api/v3/openapi.json',
    )
  }
  if (file === undefined) return { url }
  return readDocument(context, file)
}

function toPrivate({ options }: CommandContext) {
  return options.flag('private') ? { private: true } : {}
}

function toSettings(context: CommandContext): Record<string, unknown> {
  const { options } = context
  const timeout = options.text('timeout')
  const pin = options.text('pin')
  if (pin !== undefined && pin !== 'on' && pin !== 'off') {
    throw usageError('--pin is on or off.', 'Write: --pin off')
  }
  const given = {
    server: options.text('at'),
    title: options.text('title'),
    auth: toPairs(options.texts('auth'), 'auth'),
    headers: toPairs(options.texts('header'), 'header'),
    include: orNone(options.texts('include')),
    exclude: orNone(options.texts('exclude')),
    effects: toPairs(options.texts('effect'), 'effect'),
    timeoutMs: timeout === undefined ? undefined : parseDuration('--timeout', timeout),
    pin: pin === undefined ? undefined : pin === 'on',
    ...toPrivate(context),
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

function orNone(texts: readonly string[]): readonly string[] | undefined {
  return texts.length > 0 ? texts : undefined
}

function toPairs(texts: readonly string[], option: string): Record<string, string> | undefined {
  if (texts.length === 0) return undefined
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf('=')
      if (at > 0) return [text.slice(0, at), text.slice(at + 1)]
      throw usageError(`--${option} needs a name and a value.`, `Write: --${option} NAME=VALUE`)
    }),
  )
}

/** The API path of the API in the second word. */
export function pathOf(context: CommandContext): string {
  return `/apis/${encodeURIComponent(apiOf(context))}`
}

export function apiOf({ words: [action = '', name] }: CommandContext): string {
  if (name !== undefined) return name
  throw usageError('Which API?', `Write: toolcrib apis ${action} <api>`)
}
