import type { Caller } from '../kernel/call.ts'
import { ToolError } from '../kernel/errors.ts'
import { type FileValue, hasFileFields, visitFileValues } from '../schema/file-values.ts'
import { isRecord } from '../kernel/json/json-type.ts'
import type { ToolContract } from '../kernel/tool.ts'
import { isInlineFile, mayBeWord, toBase64 } from '../uploads/file-text.ts'
import { readWholeUpload } from '../uploads/read-upload.ts'
import { mayReadUpload, parseUploadUri, type Upload, uploadNotFound } from '../uploads/upload.ts'
import type { PipelinePorts } from './ports.ts'

/** The input as the tool receives it, and the uploads that it names. */
export interface FilledInput {
  input: unknown
  uploads: readonly Upload[]
}

type Ports = Pick<PipelinePorts, 'uploads'>

/**
 * The maximum size of an input with its files: base64 adds a third, and the whole is held in
 * memory.
 */
const maxFilledBytes = 16_777_216
/** Each one is looked up. */
const maxNamed = 1_000
const nothing: readonly Upload[] = []

/**
 * Finds the uploads that an input names. If the tool takes files as text in its input, the file's
 * content is inserted; if it takes references, they stay. The recorded input is the original one.
 * Synchronous for tools that take no files. Throws not_found for an upload that does not exist or
 * is not the caller's.
 */
export function fillInput(
  contract: Pick<ToolContract, 'inputSchema' | 'form'>,
  { input, caller }: { input: unknown; caller: Caller },
  ports: Ports,
): FilledInput | Promise<FilledInput> {
  if (!hasFileFields(contract)) return { input, uploads: nothing }
  const named: NamedFile[] = []
  visitFileValues(contract, input, (value) => {
    const id = parseUploadUri(value.text)
    if (id !== undefined) named.push({ ...value, id })
    else if (value.form === 'reference') assertFile(value)
    if (named.length > maxNamed) throw tooMany()
  })
  return named.length === 0 ? { input, uploads: nothing } : fill(input, { named, caller }, ports)
}

/**
 * Keeps the uploads that an input names for as long as the call is kept. Undefined when it names
 * none. Rejects with not_found when one has just been removed.
 */
export function holdUploads({ facts, filled }: Holder, ports: Ports): Promise<void> | undefined {
  return filled.uploads.length === 0 ? undefined : hold(facts, filled.uploads, ports)
}

interface Holder {
  facts: { callId: string; caller: Caller }
  filled: FilledInput
}

async function hold(
  { callId, caller }: Holder['facts'],
  uploads: readonly Upload[],
  ports: Ports,
): Promise<void> {
  const ids = uploads.map(({ id }) => id)
  const held = new Set(await ports.uploads.use(caller.tenant, callId, ids))
  const lost = ids.find((id) => !held.has(id))
  if (lost !== undefined) throw uploadNotFound(lost)
}

type NamedFile = FileValue & { id: string }

async function fill(
  input: unknown,
  { named, caller }: { named: readonly NamedFile[]; caller: Caller },
  { uploads: store }: Ports,
): Promise<FilledInput> {
  const uploads = new Map<string, Upload>()
  let filled = input
  let room = maxFilledBytes
  for (const { id, path, form } of named) {
    const upload = uploads.get(id) ?? (await store.find(caller.tenant, id))
    if (upload === undefined || !mayReadUpload(caller, upload)) throw uploadNotFound(id, path)
    uploads.set(id, upload)
    if (form === 'reference') continue
    room -= upload.bytes
    if (room < 0) throw tooLarge(upload, path)
    const base64 = toBase64(await readWholeUpload(store, caller.tenant, upload))
    const text = form === 'data-url' ? `data:${upload.mediaType};base64,${base64}` : base64
    filled = replaceAt(filled, toSteps(path), text)
  }
  return { input: filled, uploads: [...uploads.values()] }
}

function assertFile({ path, text }: FileValue): void {
  if (!isInlineFile(text)) {
    throw noFile(path, 'must be an upload (crib://uploads/…), a data: URL or base64')
  }
  if (!mayBeWord(text)) return
  throw noFile(
    path,
    'may be a plain word: send short base64 with its padding (=), or as data:;base64,…',
  )
}

function tooMany(): ToolError {
  return new ToolError('invalid_input', `The input names more than ${maxNamed} uploads`, {
    fix: 'Call the tool several times, with fewer files each time.',
  })
}

function noFile(path: string, message: string): ToolError {
  return new ToolError('invalid_input', `The text at ${path} is not a file`, {
    issues: [{ path, message }],
    fix: 'Upload the file and pass its address, or send its bytes as a data: URL or as base64. On the command line, name a file with @: --file=@report.pdf.',
  })
}

function tooLarge({ bytes }: Upload, path: string): ToolError {
  const message = `has ${bytes} bytes; this tool takes files inside its input, up to ${maxFilledBytes} in all`
  return new ToolError('invalid_input', `The file at ${path} ${message}`, {
    issues: [{ path, message }],
    fix: 'Use a smaller file. The author of the tool can accept larger ones with format: file.',
  })
}

function toSteps(path: string): string[] {
  const steps = path.split('/').slice(1)
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** A copy with the text replaced at this path; the original is unchanged. */
function replaceAt(value: unknown, [step, ...rest]: readonly string[], text: string): unknown {
  if (step === undefined) return text
  if (Array.isArray(value)) {
    return value.with(Number(step), replaceAt(value[Number(step)], rest, text))
  }
  return isRecord(value) ? { ...value, [step]: replaceAt(value[step], rest, text) } : value
}
