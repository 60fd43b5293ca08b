import type { LogSettings } from '../config/logs-schema.ts'

export type LogLevel = LogSettings['level']
export type LogFields = Readonly<Record<string, string | number | undefined>>

/** The output of all log entries of a server. Entries must not contain secrets. */
export interface ServerLog {
  error(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  /** Applies settings that are known only now. */
  configure(settings: LogSettings): void
  readonly settings: LogSettings
}

const severity: Readonly<Record<LogLevel, number>> = { error: 0, warn: 1, info: 2, debug: 3 }

/** Entries as lines: for people, or as JSON for programs. */
export function createServerLog(
  write: (line: string) => void,
  first: LogSettings,
  now: () => Date = () => new Date(),
): ServerLog {
  let settings = first
  const log = (level: LogLevel, message: string, fields: LogFields = {}) => {
    if (severity[level] > severity[settings.level]) return
    const time = now().toISOString()
    write(
      settings.format === 'json'
        ? `${JSON.stringify({ time, level, message, ...fields })}\n`
        : `${time} ${level.padEnd(5)} ${message}${toText(fields)}\n`,
    )
  }
  return {
    error: (message, fields) => log('error', message, fields),
    warn: (message, fields) => log('warn', message, fields),
    info: (message, fields) => log('info', message, fields),
    configure(next) {
      settings = next
    },
    get settings() {
      return settings
    },
  }
}

/** A stack follows on separate lines, for readability. */
function toText({ stack, ...fields }: LogFields): string {
  const parts = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${toWord(value)}`)
  const short = parts.length === 0 ? '' : ` ${parts.join(' ')}`
  return stack === undefined ? short : `${short}\n${stack}`
}

function toWord(value: string | number | undefined): string {
  return typeof value === 'string' && /[\s"=]/.test(value) ? JSON.stringify(value) : String(value)
}
