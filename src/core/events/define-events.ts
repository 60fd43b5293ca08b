import type { z } from 'zod'
import type { JsonValue } from '../kernel/json.ts'

/** What the events of one noun have in common. */
export interface EventNoun {
  /** What people call it, the first word of a label. */
  noun: string
  /** What an auditor asks for by one word. */
  group: string
  /** Queries of the console that are out of date after it. */
  stale: readonly string[]
  /** It may be part of the record of a call; a search for others leaves calls out. */
  inCall?: boolean
}

/** One type of event, as its feature writes it down. */
export interface EventFacts {
  /** For the reference. */
  meaning: string
  /** What people read; the noun and the verb of the type unless given. */
  label?: string
  stale?: readonly string[]
  /** What it holds. Tests compare every event that is written with it; nothing else does. */
  data?: z.ZodType<JsonValue>
}

export interface EventDefinition extends Required<EventNoun> {
  meaning: string
  label: string
  data?: z.ZodType<JsonValue>
}

type Defined<T extends Record<string, EventFacts>> = {
  readonly [K in keyof T]: EventDefinition & Pick<T[K], 'data'>
}

/** What events hold, by their types. */
export type PayloadsOf<T extends Record<string, EventDefinition>> = {
  [K in keyof T]: T[K]['data'] extends z.ZodType<infer Data> ? Data : JsonValue
}

/** The events of one noun. */
export function defineEvents<const T extends Record<string, EventFacts>>(
  noun: EventNoun,
  events: T,
): Defined<T> {
  const defined = Object.entries<EventFacts>(events).map(([type, facts]) => {
    const label = `${noun.noun} ${type.split('.').at(-1)?.replaceAll('_', ' ')}`
    return [type, { inCall: false, label, ...noun, ...facts }] as const
  })
  return Object.fromEntries(defined) as unknown as Defined<T>
}
