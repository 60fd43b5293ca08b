import type { Api } from '../../api/client.ts'
import { locale } from '../../ui/format/locale.ts'

type When = Api<'Schedule'>['when']
export type WhenRequest = Api<'ScheduleWhen'>

/** The time of a schedule while it is edited: each kind keeps its own input. */
export interface WhenDraft {
  kind: 'cron' | 'every' | 'at'
  cron: string
  every: string
  /** As a datetime-local field has it: `2026-12-01T09:00`. */
  at: string
  timezone: string
}

/** The browser's time zone. */
export const hereZone = Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'

/** The initial values of the form. */
export function toWhenDraft(when?: When): WhenDraft {
  const draft: WhenDraft = {
    kind: 'cron',
    cron: '0 9 * * 1-5',
    every: '1h',
    at: '',
    timezone: hereZone,
  }
  if (when === undefined) return draft
  if ('cron' in when) return { ...draft, kind: 'cron', ...when }
  if ('every' in when) return { ...draft, kind: 'every', every: when.every }
  return { ...draft, kind: 'at', at: toLocalField(when.at) }
}

/** The time as the API takes it. */
export function toWhenRequest(draft: WhenDraft): WhenRequest {
  const { kind, cron, every, at, timezone } = draft
  if (kind === 'cron') return { cron, timezone }
  if (kind === 'every') return { every }
  return { at, timezone }
}

function toLocalField(at: string): string {
  const time = new Date(at)
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16)
}

/** `Mon, 16 Nov, 09:00`, in the reader's time zone or another. */
export function formatDateTime(at: string, timezone: string = hereZone): string {
  const isFar = Math.abs(Date.parse(at) - Date.now()) > 300 * 86_400_000
  return new Date(at).toLocaleString(locale, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...(isFar && { year: 'numeric' }),
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: timezone,
  })
}
