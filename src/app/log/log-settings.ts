import { ToolError } from '../../core/kernel/errors.ts'
import type { LogWishes } from '../../doors/cli/environment.ts'
import { logFormats, logLevels, type LogSettings, logsSchema } from '../config/logs-schema.ts'

interface Sources {
  /** From the command line, which wins. */
  options?: LogWishes | undefined
  env: Readonly<Record<string, string | undefined>>
  configured?: LogSettings | undefined
}

/** The command line before TOOLCRIB_LOG before the configuration. */
export function findLogSettings({ options, env, configured }: Sources): LogSettings {
  return { ...(configured ?? logsSchema.parse({})), ...parseWords(env['TOOLCRIB_LOG']), ...options }
}

/** `json,debug,access`, in any order. */
function parseWords(text: string | undefined): Partial<LogSettings> {
  const words = (text ?? '').split(',').map((word) => word.trim())
  const settings: { -readonly [K in keyof LogSettings]?: LogSettings[K] } = {}
  for (const word of words.filter((one) => one !== '')) {
    const format = logFormats.find((known) => known === word)
    const level = logLevels.find((known) => known === word)
    if (format !== undefined) settings.format = format
    else if (level !== undefined) settings.level = level
    else if (word === 'access') settings.access = true
    else throw unknownWord(word)
  }
  return settings
}

function unknownWord(word: string): ToolError {
  const known = [...logFormats, ...logLevels, 'access'].join(', ')
  return new ToolError('invalid_config', `TOOLCRIB_LOG does not know ${word}`, {
    fix: `It takes these, separated by commas: ${known}.`,
  })
}
