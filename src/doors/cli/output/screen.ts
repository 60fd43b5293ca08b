import { styleText } from 'node:util'
import type { CliEnvironment } from '../environment.ts'
import { ownWrites } from './own-write.ts'

export type Format = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'blue' | 'cyan' | 'magenta'
export type Style = (format: Format, text: string) => string

/** Where a command writes. People read lines, programs read JSON; both may stop reading at any time. */
export interface Screen {
  readonly isJson: boolean
  /** Columns to fit lines into; Infinity when stdout is not a terminal. */
  readonly width: number
  readonly isErrTty: boolean
  /** Aborted when nobody reads stdout any more, so that commands stop producing output. */
  readonly closed: AbortSignal
  readonly style: Style
  readonly errStyle: Style
  out(line: string): void
  err(line: string): void
  /** Raw text to stderr without a line end, for a line that is drawn again. */
  draw(text: string): void
  /** Text or bytes to stdout without a line end. */
  write(content: string | Uint8Array): void
  /** One JSON value on a line of its own. */
  json(value: unknown): void
  /**
   * Resolves when the reader has caught up: loops with much output await it, so that memory stays
   * flat.
   */
  drained(): Promise<void>
}

export interface ScreenOptions {
  json: boolean
  color: boolean
}

/** Builds the screen over the environment's streams. */
export function createScreen(environment: CliEnvironment, options: ScreenOptions): Screen {
  const { stdout, stderr, env } = environment
  const isErrTty = (stderr as { isTTY?: boolean }).isTTY === true
  const mayColor = options.color && !env['NO_COLOR'] && env['TERM'] !== 'dumb'
  const closed = watchForEnd(stdout)
  // A closed stderr must not crash the program with EPIPE either.
  stderr.on('error', () => {})
  const write = (content: string | Uint8Array): void => {
    if (closed.aborted) return
    const own = ownWrites.get(stdout)
    if (own === undefined) stdout.write(content)
    else own(content)
  }
  return {
    isJson: options.json,
    width: environment.isTty ? Math.max(environment.columns, 20) : Infinity,
    isErrTty,
    closed,
    style: toStyle(mayColor && environment.isTty),
    errStyle: toStyle(mayColor && isErrTty),
    out: (line) => write(`${line}\n`),
    err: (line) => void stderr.write(`${line}\n`),
    draw: (text) => void stderr.write(text),
    write,
    json: (value) => write(`${JSON.stringify(value)}\n`),
    drained: () => waitForDrain(stdout, closed),
  }
}

function toStyle(hasColor: boolean): Style {
  return hasColor
    ? (format, text) => styleText(format, text, { validateStream: false })
    : (_format, text) => text
}

/**
 * `head` and `less` close the pipe when they have enough: that ends the command without an error.
 */
function watchForEnd(stream: NodeJS.WritableStream): AbortSignal {
  const controller = new AbortController()
  stream.on('error', () => controller.abort())
  stream.on('close', () => controller.abort())
  return controller.signal
}

function waitForDrain(stream: NodeJS.WritableStream, closed: AbortSignal): Promise<void> {
  const needsDrain = (stream as { writableNeedDrain?: boolean }).writableNeedDrain === true
  if (!needsDrain || closed.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const finish = (): void => {
      stream.removeListener('drain', finish)
      closed.removeEventListener('abort', finish)
      resolve()
    }
    stream.on('drain', finish)
    closed.addEventListener('abort', finish)
  })
}
