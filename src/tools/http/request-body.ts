import type { CallFiles } from '../../core/kernel/context/call-file.ts'
import { ToolError } from '../../core/kernel/errors.ts'

export interface BodyInput {
  method: string
  json: string | null
  text: string | null
  form: readonly { name: string; value: string }[] | null
  files: readonly { name: string; file: string }[] | null
}

export interface RequestBody {
  body?: string | URLSearchParams | FormData
  contentType?: string
}

const maxFileBytes = 50_000_000

/** The one body that the input has. Throws `invalid_input` for two of them. */
export async function toBody(input: BodyInput, callFiles: CallFiles): Promise<RequestBody> {
  const { method, json, text, form, files } = input
  const given = [json, text, form ?? files].filter((one) => one !== null).length
  if (given === 0) return {}
  if (given > 1) throw invalid('/json', 'Send json, text or a form, not several of them')
  if (method === 'GET' || method === 'HEAD') throw invalid('/method', `${method} has no body`)
  if (json !== null) return { body: checkJson(json), contentType: 'application/json' }
  if (text !== null) return { body: text, contentType: 'text/plain; charset=utf-8' }
  return { body: await toForm(form ?? [], files ?? [], callFiles) }
}

function checkJson(json: string): string {
  try {
    JSON.parse(json)
    return json
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw invalid('/json', `json is not JSON: ${reason}`)
  }
}

async function toForm(
  fields: NonNullable<BodyInput['form']>,
  files: NonNullable<BodyInput['files']>,
  callFiles: CallFiles,
): Promise<URLSearchParams | FormData> {
  if (files.length === 0) {
    const search = new URLSearchParams()
    for (const { name, value } of fields) search.append(name, value)
    return search
  }
  const form = new FormData()
  for (const { name, value } of fields) form.append(name, value)
  for (const { name, file } of files) {
    const {
      bytes,
      mediaType,
      name: fileName,
    } = await callFiles.read(file, { maxBytes: maxFileBytes })
    const blob = new Blob([Uint8Array.from(bytes)], { type: mediaType })
    form.append(name, blob, fileName ?? 'file')
  }
  return form
}

function invalid(path: string, message: string): ToolError {
  return new ToolError('invalid_input', message, { issues: [{ path, message }] })
}
