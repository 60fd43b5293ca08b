import { damagedBackup } from './damaged-backup.ts'

/** Facts as pax has them: each line with its own length, in bytes, in front. */
export function toPax(fields: Readonly<Record<string, string>>): Buffer {
  return Buffer.concat(Object.entries(fields).map(([name, value]) => toLine(`${name}=${value}`)))
}

function toLine(text: string): Buffer {
  const rest = Buffer.byteLength(text) + 2
  // The length counts its own digits.
  let length = rest + String(rest).length
  if (rest + String(length).length !== length) length = rest + String(length).length
  return Buffer.from(`${length} ${text}\n`)
}

/** Unknown fields are kept, and nobody asks for them. */
export function parsePax(content: Buffer): Record<string, string> {
  const fields: Record<string, string> = {}
  for (let at = 0; at < content.length;) {
    const space = content.indexOf(0x20, at)
    const length = Number(content.toString('latin1', at, space))
    const end = at + length
    const isWhole = space > at && length > 0 && end <= content.length && content[end - 1] === 0x0a
    const line = isWhole ? content.toString('utf8', space + 1, end - 1) : ''
    const equals = line.indexOf('=')
    if (equals < 1) throw damagedBackup('This is not a backup of Toolcrib, or it is damaged.')
    fields[line.slice(0, equals)] = line.slice(equals + 1)
    at = end
  }
  return fields
}
