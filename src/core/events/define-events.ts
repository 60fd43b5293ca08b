import type { z } from 'zod'
import type { JsonValue } from '../kernel/json.ts'

/** The shared properties of one noun's events. */
export interface EventNoun {
  /** The noun as people read it, the first word of a label. */
  noun: string
  /** The group that auditors filter by. */
  group: string
  /** Console queries that must be refetched after it. */
  stale: readonly string[]
  /** It may be part of a call's record; a search for other events leaves calls out. */
  inCall?: boolean
}

/** One type of event, as its feature defines it. */
export interface EventFacts {
  /** Shown in the reference. */
  meaning: string
  /** The label for people; by default the noun and the verb of the type. */
  label?: string
  stale?: readonly string[]
  /**
   * The schema of its data. A function, because building all schemas would delay every start by ten
   * milliseconds. Tests check every event that is written; production does not.
   */
  data: () => z.ZodType<JsonValue>
}

export interface EventDefinition extends Required<EventNoun> {
  meaning: string
  label: string
  data: () => z.ZodType<JsonValue>
}

type Defined<T extends Record<string, EventFacts>> = {
  readonly [K in keyof T]: EventDefinition & Pick<T[K], 'data'>
}

/** The payloads of events, by type. */
export type PayloadsOf<T extends Record<string, EventDefinition>> = {
  [K in keyof T]: z.output<ReturnType<T[K]['data']>>
}

/** Defines the events of one noun. */
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
