import { ToolError } from '../../../../core/kernel/errors.ts'
import type { CribEvent } from '../../../../core/events/event.ts'
import type { EventPage } from '../../../../core/events/event-log.ts'
import type { HttpClient, Query } from '../../client/http-client.ts'
import type { Command, CommandContext } from '../../command.ts'
import { exit } from '../../exit-codes.ts'
import { toEventLine } from '../../output/event-line.ts'
import type { Screen } from '../../output/screen.ts'
import { parseNumber } from '../../parse-options.ts'

const normalLimit = 200
const pageLimit = 1000
const limitRange = { min: 1, max: 1_000_000_000 }

/** `toolcrib events`: what happened, as pages or as it happens. */
export const eventsCommand: Command = {
  summary: 'Read the newest events, or follow them.',
  usage: [
    'events [--call ID] [--session ID] [--types a,b] [--after CURSOR | --all] [--limit N]',
    'events --follow',
  ],
  options: {
    follow: {
      type: 'boolean',
      short: 'f',
      summary: 'keep reading new events; starts now unless --after or --call is given',
    },
    call: { type: 'string', value: 'ID', summary: 'events of this call' },
    session: { type: 'string', value: 'ID', summary: 'events of this session' },
    types: {
      type: 'string',
      value: 'A,B',
      summary: 'only these types: call.failed,secret.written',
    },
    after: {
      type: 'string',
      value: 'CURSOR',
      summary: 'continue after this event (its id); now for new events',
    },
    all: { type: 'boolean', summary: 'from the first event' },
    limit: {
      type: 'string',
      value: 'N',
      summary: `stop after so many (${normalLimit} without --follow)`,
    },
  },
  maxWords: 0,
  reads: true,
  notes: [
    'With --json one event a line. To continue later, pass the id of the last one to --after.',
  ],
  async run(context) {
    const { connect, options } = context
    const { client, kind } = await connect()
    if (options.flag('follow') && kind === 'local') throw nothingToFollow()
    const query: Query = {
      callId: options.text('call'),
      sessionId: options.text('session'),
      types: options.text('types'),
      after: options.text('after'),
    }
    const limit = parseNumber(options, 'limit', limitRange)
    if (options.flag('follow')) {
      const { followEvents } = await import('../../client/follow-events.ts')
      return follow(
        context,
        (signal, onNote) => followEvents(client, { query, signal, onNote }),
        limit,
      )
    }
    if (isPlain(query) && !options.flag('all')) return readLast(context, client, query)
    return readPages(context, (after, size) =>
      client.read<EventPage>('/events', {
        query: { ...query, after: after ?? query['after'], limit: size },
      }),
    )
  },
}

/** Without a starting point, the newest events are wanted. */
function isPlain(query: Query): boolean {
  return [query['callId'], query['sessionId'], query['after']].every((value) => value === undefined)
}

async function readLast(
  context: CommandContext,
  client: HttpClient,
  query: Query,
): Promise<number> {
  const { screen, options } = context
  const last = Math.min(parseNumber(options, 'limit', limitRange) ?? normalLimit, pageLimit)
  const page = await client.read<EventPage>('/events', { query: { types: query['types'], last } })
  for (const event of page.items) showEvent(context, event)
  await screen.drained()
  if (!screen.isJson) showEnd(screen, page, page.items.length)
  return exit.ok
}

function nothingToFollow(): ToolError {
  return new ToolError(
    'server_unreachable',
    'No server is running here, so there are no new events.',
    {
      fix: 'Run toolcrib dev or toolcrib start first; toolcrib events shows past events.',
    },
  )
}

async function readPages(
  context: CommandContext,
  readPage: (after: string | undefined, size: number) => Promise<EventPage>,
): Promise<number> {
  const { screen, options } = context
  const limit = parseNumber(options, 'limit', limitRange) ?? normalLimit
  let seen = 0
  let page: EventPage | undefined
  while (page?.hasMore !== false && seen < limit && !screen.closed.aborted) {
    page = await readPage(page?.next, Math.min(limit - seen, pageLimit))
    for (const event of page.items) showEvent(context, event)
    await screen.drained()
    seen += page.items.length
  }
  if (!screen.isJson && page !== undefined) showEnd(screen, page, seen)
  return exit.ok
}

function showEnd(screen: Screen, { hasMore, next }: EventPage, seen: number): void {
  if (screen.closed.aborted) return
  if (seen === 0) screen.err('No events yet.')
  if (hasMore) screen.err(`→ There is more: toolcrib events --after ${next}`)
}

async function follow(
  context: CommandContext,
  events: (signal: AbortSignal, onNote: (note: string) => void) => AsyncGenerator<CribEvent>,
  limit = Infinity,
): Promise<number> {
  const { environment, screen } = context
  const leaving = new AbortController()
  const stopListening = environment.onSignal(() => leaving.abort())
  const signal = AbortSignal.any([leaving.signal, screen.closed])
  let seen = 0
  try {
    for await (const event of events(signal, (note) => !screen.isJson && screen.err(note))) {
      showEvent(context, event)
      await screen.drained()
      seen += 1
      if (seen >= limit) break
    }
    return exit.ok
  } catch (error) {
    // Ctrl-C is how following ends.
    if (signal.aborted) return exit.ok
    throw error
  } finally {
    stopListening()
  }
}

function showEvent({ screen }: CommandContext, event: CribEvent): void {
  if (screen.isJson) screen.json(event)
  else screen.out(toEventLine(event, screen))
}
