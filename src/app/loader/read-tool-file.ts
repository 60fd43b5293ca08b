import { readFile, stat } from 'node:fs/promises'
import type { JsonValue } from '../../core/kernel/json.ts'
import {
  maxToolFileBytes,
  parseToolText,
  type TextPlace,
} from '../../features/authoring/files/parse-tool-text.ts'

/** The document of a file, or the problem with the file. */
export interface ToolFile {
  document?: JsonValue
  problem?: { message: string; at?: TextPlace }
  placeOf(pointer: string): TextPlace | undefined
}

/** Reads a tool that is a document. Never throws. */
export async function readToolFile(file: string): Promise<ToolFile> {
  const placeOf = () => undefined
  try {
    const { size } = await stat(file)
    if (size > maxToolFileBytes) {
      const message = `The file has ${size} bytes; the limit is ${maxToolFileBytes}`
      return { problem: { message }, placeOf }
    }
    const { value, ...parsed } = parseToolText(await readFile(file, 'utf8'))
    return value === undefined ? parsed : { ...parsed, document: value }
  } catch (error) {
    return { problem: { message: `The file can't be read: ${(error as Error).message}` }, placeOf }
  }
}
