import { relative } from 'node:path'
import type { LoadReport } from '../../../core/crib-api.ts'
import type { Command, CommandContext, OptionSpecs, OptionValues } from '../command.ts'
import { defaultPort, type LogWishes, type ReadyReport, type ReloadReport } from '../environment.ts'
import { exit } from '../exit-codes.ts'
import { counted } from '../output/counted.ts'
import { toSafeLine } from '../output/safe-text.ts'
import { parseNumber } from '../parse-options.ts'
import { resolveFolders } from './tools/tool-folders.ts'

const serveOptions: OptionSpecs = {
  port: {
    type: 'string',
    value: 'N',
    summary: `port to listen on, 0 for any free one (${defaultPort})`,
  },
  host: { type: 'string', value: 'HOST', summary: 'address to listen on (127.0.0.1)' },
  'log-format': {
    type: 'string',
    value: 'FORMAT',
    choices: ['text', 'json'],
    summary: 'log format on stderr: text, or JSON lines (text; json with --json)',
  },
  'log-level': {
    type: 'string',
    value: 'LEVEL',
    choices: ['error', 'warn', 'info', 'debug'],
    summary: 'least severe entries to log (info)',
  },
  'access-log': { type: 'boolean', summary: 'log every HTTP request' },
  'sign-in-link': {
    type: 'string',
    value: 'WHEN',
    choices: ['always', 'never'],
    summary: 'print a sign-in link for the owner (on a terminal, with --json and in dev)',
  },
}

const notes = [
  'The log goes to stderr. TOOLCRIB_LOG takes the same as --log-format, --log-level and --access-log, separated by commas: json,warn,access.',
  'With --json the first line on stdout, once requests are answered, is {"ready":true,"url":…,"signIn":…}.',
  'SIGTERM and Ctrl-C wait for running calls and exit with 0; a second one quits immediately.',
]

/** `toolcrib dev`: the server, with hot reload. */
export const devCommand: Command = {
  summary: 'Run the server and reload tools as their files change.',
  usage: ['dev [DIR…] [--port N] [--host HOST] [--console-source]'],
  options: {
    ...serveOptions,
    'console-source': {
      type: 'boolean',
      summary: 'in a checkout: serve the console from source and reload it on changes',
    },
  },
  maxWords: Infinity,
  notes: [
    ...notes,
    'A .env file beside the configuration is read; variables that are already set win.',
  ],
  run: (context) => serve('dev', context),
}

/** `toolcrib start`: the server as it runs in production. */
export const startCommand: Command = {
  summary: 'Run the server.',
  usage: ['start [DIR…] [--port N] [--host HOST] [--sign-in-link always|never]'],
  options: serveOptions,
  maxWords: Infinity,
  notes,
  run: (context) => serve('start', context),
}

async function serve(mode: 'dev' | 'start', context: CommandContext): Promise<number> {
  const { environment, screen, options } = context
  const port = parseNumber(options, 'port', { min: 0, max: 65_535 })
  const host = options.text('host')
  const draining = new AbortController()
  const quit = Promise.withResolvers<number>()
  const stopListening = environment.onSignal(() => {
    if (draining.signal.aborted) return quit.resolve(exit.interrupted)
    if (!screen.isJson)
      screen.err('Stopping: waiting for running calls. Ctrl-C again quits immediately.')
    draining.abort()
  })
  const served = environment.serve({
    ...context.server,
    tools: resolveFolders(context),
    ...(port === undefined ? {} : { port }),
    ...(host === undefined ? {} : { host }),
    mode,
    logs: toLogWishes(options),
    isConsoleFromSource: options.flag('console-source'),
    isWatched: mode === 'dev' || screen.isJson || environment.isTty,
    ...toLinkWish(options),
    onReady: (report) => showReady(context, mode, report),
    onReload: (report) => showReload(context, report),
    onSetupChange: (file) => showSetupChange(context, file),
    signal: draining.signal,
  })
  try {
    return await Promise.race([served.then(() => exit.ok), quit.promise])
  } finally {
    stopListening()
  }
}

function toLinkWish(options: OptionValues): { signInLink?: 'always' | 'never' } {
  const wish = options.text('sign-in-link')
  return wish === undefined ? {} : { signInLink: wish as 'always' | 'never' }
}

/** Without options, TOOLCRIB_LOG and the configuration decide. */
function toLogWishes(options: OptionValues): LogWishes {
  const format = options.text('log-format') ?? (options.flag('json') ? 'json' : undefined)
  const level = options.text('log-level')
  return {
    ...(format !== undefined && { format: format as LogWishes['format'] }),
    ...(level !== undefined && { level: level as LogWishes['level'] }),
    ...(options.flag('access-log') && { access: true }),
  }
}

function showReady(context: CommandContext, mode: 'dev' | 'start', report: ReadyReport): void {
  const { screen, environment } = context
  if (screen.isJson) {
    screen.json({ ready: true, ...report })
    return
  }
  const label = (text: string): string => screen.style('dim', text.padEnd(11))
  screen.out(`${screen.style('bold', 'Toolcrib')} ${environment.version} (${mode})`)
  screen.out('')
  screen.out(`  ${label('listening')}${screen.style('cyan', report.url)}`)
  if (report.signIn !== undefined) {
    screen.out(`  ${label('sign in')}${screen.style('cyan', report.signIn)} (works once)`)
  } else {
    screen.out(`  ${label('sign in')}toolcrib sign-in-link prints a link`)
  }
  const { builtIn = 0, envFile } = report
  const others = builtIn > 0 ? ` (and ${builtIn} built in)` : ''
  screen.out(`  ${label('tools')}${report.tools - builtIn}${others}`)
  if (envFile !== undefined) {
    const name = toSafeLine(relative(environment.cwd, envFile.file))
    screen.out(`  ${label('env')}${counted(envFile.variables, 'variable')} from ${name}`)
  }
  if (report.store !== undefined) screen.out(`  ${label('records')}${toSafeLine(report.store)}`)
  screen.out('')
  for (const problem of report.problems) showProblem(context, problem)
  for (const warning of report.warnings) {
    screen.out(`${screen.style('yellow', '!')} ${toSafeLine(warning)}`)
  }
  if (mode === 'dev') screen.out(screen.style('dim', 'Watching the tools; Ctrl-C stops.'))
}

function showSetupChange({ screen, environment }: CommandContext, file: string): void {
  const name = toSafeLine(relative(environment.cwd, file) || file)
  if (screen.isJson) screen.json({ setupChanged: file })
  else screen.out(`${screen.style('yellow', '!')} ${name} has changed: restart to apply it.`)
}

function showReload(context: CommandContext, report: ReloadReport): void {
  const { screen } = context
  if (screen.isJson) {
    screen.json({ reloaded: report })
    return
  }
  for (const file of report.files) {
    if (file.error === undefined) {
      const tools = file.tools.map(toSafeLine).join(', ') || 'no tools'
      const took = screen.style('dim', `in ${Math.round(report.durationMs)} ms`)
      screen.out(`${screen.style('green', '✓')} ${nameOf(context, file)}: ${tools} ${took}`)
    }
    showProblem(context, file)
  }
  for (const tool of report.removed)
    screen.out(`${screen.style('yellow', '-')} ${toSafeLine(tool)}`)
}

/** A skipped file, or one with warnings, as `file:line` so that editors can jump there. */
function showProblem(context: CommandContext, { error, warnings, file, tools }: LoadReport): void {
  const { screen } = context
  const name = nameOf(context, { file, tools, warnings })
  if (error !== undefined) {
    const place = error.line === undefined ? '' : `:${error.line}:${error.column ?? 1}`
    screen.out(
      `${screen.style('red', '✗')} ${name}${place} was left out: ${toSafeLine(error.message)}`,
    )
  }
  for (const warning of warnings) {
    screen.out(`${screen.style('yellow', '!')} ${name}: ${toSafeLine(warning)}`)
  }
}

function nameOf({ environment }: CommandContext, { file }: LoadReport): string {
  return toSafeLine(relative(environment.cwd, file) || file)
}
