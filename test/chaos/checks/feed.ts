import { isDeepStrictEqual } from 'node:util'
import type { Evidence, LoggedEvent, Violation } from '../evidence.ts'

/** Who follows the feed with a cursor sees every event once, and those of one call in their order. */
export function checkFeed({ events, followed, streamed, owed = events }: Evidence): Violation[] {
  return [followed, streamed].flatMap((seen) => checkReader({ events, owed }, seen))
}

function checkReader(
  { events, owed }: Required<Pick<Evidence, 'events' | 'owed'>>,
  followed: readonly LoggedEvent[],
): Violation[] {
  const stored = new Map(events.map((event) => [nameOf(event), event]))
  const seen = new Set<string>()
  const lastSeq = new Map<string, number>()
  const found: Violation[] = []
  const add = (rule: string, event: LoggedEvent, message: string) =>
    found.push({ rule, subject: nameOf(event), message, context: event })
  for (const event of followed) {
    const name = nameOf(event)
    const before = lastSeq.get(event.stream) ?? 0
    if (seen.has(name)) add('event seen twice', event, 'The feed gave it twice')
    else if (event.seq < before) add('feed out of order', event, `It came after number ${before}`)
    if (!stored.has(name)) add('event vanished', event, 'The feed gave it and it is not stored')
    else if (!isDeepStrictEqual(event, stored.get(name))) {
      add('event changed', event, 'It is stored otherwise than the feed gave it')
    }
    seen.add(name)
    lastSeq.set(event.stream, Math.max(before, event.seq))
  }
  for (const event of owed) {
    if (!seen.has(nameOf(event)))
      add('event skipped', event, 'It is stored, and the feed passed it over')
  }
  return found
}

function nameOf({ stream, seq }: LoggedEvent): string {
  return `${stream} ${seq}`
}
