import { Transform, Writable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'

/** Marks a line break in pasted text, and is shown as such. */
export const pastedBreak = '⏎'

const start = '\u001b[200~'
const end = '\u001b[201~'
const marks = new RegExp(`(${[start, end].map((mark) => mark.replace('[', '\\[')).join('|')})`)
export const pasteModeOn = '\u001b[?2004h'
export const pasteModeOff = '\u001b[?2004l'

/** Input from a terminal for a line reader: pasted text is one line, including its line breaks. */
export function createPasteFilter(terminal: NodeJS.ReadableStream): Transform {
  const decoder = new StringDecoder('utf8')
  let isPasted = false
  let rest = ''
  const filter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const all = rest + decoder.write(chunk)
      rest = cutMark(all, isPasted || all.includes(start))
      const text = all.slice(0, all.length - rest.length)
      for (const piece of text.split(marks)) {
        if (piece === start || piece === end) isPasted = piece === start
        else if (piece !== '')
          this.push(isPasted ? piece.replaceAll(/\r\n?|\n/g, pastedBreak) : piece)
      }
      done()
    },
  })
  const { setRawMode } = terminal as { setRawMode?(isRaw: boolean): void }
  return Object.assign(terminal.pipe(filter), {
    isTTY: true,
    ...(setRawMode !== undefined && { setRawMode: setRawMode.bind(terminal) }),
  })
}

/**
 * The end of a text that may be the beginning of a mark. In typed keys, a lone escape is a key of
 * its own.
 */
function cutMark(text: string, isPasted: boolean): string {
  const [mark, least] = isPasted ? [end, 1] : [start, 3]
  for (let length = mark.length - 1; length >= least; length -= 1) {
    if (text.endsWith(mark.slice(0, length))) return text.slice(-length)
  }
  return ''
}

/**
 * Output of a line reader, which is written only while it is asking, so that it does not disturb
 * other output.
 */
export class Veil extends Writable {
  isLifted = false
  readonly #terminal: NodeJS.WritableStream

  constructor(terminal: NodeJS.WritableStream) {
    super({ decodeStrings: false })
    this.#terminal = terminal
    terminal.on('resize', this.#onResize)
  }

  get isTTY(): boolean {
    return (this.#terminal as { isTTY?: boolean }).isTTY === true
  }

  get columns(): number | undefined {
    return (this.#terminal as { columns?: number }).columns
  }

  override _write(text: string | Uint8Array, _encoding: BufferEncoding, done: () => void): void {
    if (this.isLifted) this.#terminal.write(text)
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#terminal.removeListener('resize', this.#onResize)
    done(error)
  }

  readonly #onResize = (): void => {
    if (this.isLifted) this.emit('resize')
  }
}
