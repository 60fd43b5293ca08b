import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CliEnvironment } from '../environment.ts'
import { quoteWord } from '../output/quote-word.ts'
import { usageError } from '../parse-options.ts'

/** A file in the editor of the person. It stays until it is removed. */
export interface OpenText {
  readonly file: string
  /** Opens the editor with this text, and returns the text once the editor has ended. */
  edit(text: string): Promise<string>
  remove(): Promise<void>
}

/** A file in a folder of its own, which only this user can read. */
export async function openText(
  { env }: Pick<CliEnvironment, 'env'>,
  name: string,
): Promise<OpenText> {
  const editor = env['VISUAL'] || env['EDITOR']
  if (!editor) {
    throw usageError(
      'There is no editor.',
      'Set EDITOR, such as EDITOR=nano, or give the document on stdin: toolcrib tools edit NAME - < FILE',
    )
  }
  const folder = await mkdtemp(join(tmpdir(), 'toolcrib-edit-'))
  const file = join(folder, `${name}.tool.yaml`)
  return {
    file,
    async edit(text) {
      await writeFile(file, text, { mode: 0o600 })
      await run(editor, file)
      return readFile(file, 'utf8')
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/** With a shell, because the variable may have arguments: `code --wait`. */
async function run(editor: string, file: string): Promise<void> {
  const word = process.platform === 'win32' ? `"${file}"` : quoteWord(file)
  const child = spawn(`${editor} ${word}`, { shell: true, stdio: 'inherit' })
  const code = await new Promise<number | string>((resolve) => {
    child.on('error', (error) => resolve(error.message))
    child.on('exit', (status, signal) => resolve(status ?? signal ?? 1))
  })
  if (code !== 0) {
    throw usageError(`The editor ended with ${code}: ${editor}`, 'Check EDITOR; nothing was saved.')
  }
}
