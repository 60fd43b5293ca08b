import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { ToolError } from '../../../core/kernel/errors.ts'
import { fileForm } from '../../../core/schema/file-values.ts'
import { toBase64 } from '../../../core/uploads/file-text.ts'
import type { HttpClient } from '../client/http-client.ts'
import type { CliEnvironment } from '../environment.ts'
import { itemOf, type SchemaPlace, typesOf, variantsOf } from './input-fields.ts'
import type { FlagValue } from './parse-flags.ts'
import { openAsFile, uploadFile } from './upload-file.ts'

interface Sending {
  client: HttpClient
  environment: Pick<CliEnvironment, 'cwd'>
}

/** Files up to this size are sent inside the input; larger ones are uploaded first. */
const maxInlineBytes = 524_288

/**
 * `--paper @report.pdf` for a field that wants a file: a small one is put into the input, a larger one
 * is handed in and named there. Values of other fields stay as they are.
 */
export function sendFiles(flags: readonly FlagValue[], sending: Sending): Promise<FlagValue[]> {
  return Promise.all(
    flags.map(async (flag) => {
      const form = formOf(flag)
      if (form === undefined) return flag
      const raws: FlagValue['raws'] = []
      for (const raw of flag.raws) {
        const isPath = typeof raw === 'string' && raw.startsWith('@')
        if (typeof raw === 'string' && !isPath) await refusePath(raw, flag.flag, sending)
        raws.push(isPath ? await send(raw.slice(1), { form, flag: flag.flag, ...sending }) : raw)
      }
      return { ...flag, raws }
    }),
  )
}

/** A file's name without @ would be taken for its content. */
async function refusePath(text: string, flag: string, { environment }: Sending): Promise<void> {
  const facts = await stat(resolve(environment.cwd, text)).catch(() => undefined)
  if (facts?.isFile() !== true) return
  throw new ToolError('invalid_request', `${flag} takes the content of a file, not its name.`, {
    fix: `Write ${flag} @${text}`,
  })
}

type FileForm = NonNullable<ReturnType<typeof fileForm>>

/** How a field takes its file, or each file of a list. */
function formOf(place: SchemaPlace): FileForm | undefined {
  const here = variantsOf(place).flatMap((schema) => fileForm(schema) ?? [])[0]
  if (here !== undefined || !typesOf(place).has('array')) return here
  const item = itemOf(place, 0)
  return item && formOf(item)
}

async function send(
  path: string,
  { form, flag, client, environment }: Sending & { form: FileForm; flag: string },
): Promise<string> {
  const file = await openAsFile(path, environment, { what: flag, fix: 'Check the path after @.' })
  const { type, content } = file
  if (content.size > 0 && content.size <= maxInlineBytes) {
    const base64 = toBase64(new Uint8Array(await content.arrayBuffer()))
    return form === 'base64' ? base64 : `data:${type};base64,${base64}`
  }
  return (await uploadFile(client, file)).uri
}
