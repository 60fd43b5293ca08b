import { ask } from '../api/client.ts'
import { fromAnswer } from '../api/problem.ts'
import { type Sending, sendFile } from '../api/upload-file.ts'
import { saveFile } from '../output/media/save-file.ts'

/** The address of a file in a workspace. */
export function fileAddress(id: string, path: string): string {
  const query = new URLSearchParams({ path })
  return `/api/v1/workspaces/${encodeURIComponent(id)}/file?${query}`
}

export function archiveAddress(id: string): string {
  return `/api/v1/workspaces/${encodeURIComponent(id)}/archive`
}

/** The bytes behind an address of ours. */
export async function readBytes(address: string, signal?: AbortSignal): Promise<Blob> {
  const response = await ask(new Request(address, signal === undefined ? {} : { signal }))
  if (!response.ok) throw fromAnswer(await response.json().catch(() => undefined), response)
  return response.blob()
}

/** Reads a file whole and hands it to the browser to save, as bytes: it is never opened as a page of ours. */
export async function download(
  address: string,
  { name, signal }: { name: string; signal?: AbortSignal },
): Promise<void> {
  const blob = await readBytes(address, signal)
  saveFile([blob], { name, type: 'application/octet-stream' })
}

/** Writes a file as it is. */
export async function upload(
  id: string,
  path: string,
  { file, ...sending }: Sending & { file: Blob },
): Promise<void> {
  const target = { method: 'PUT', address: fileAddress(id, path) } as const
  await sendFile({ ...target, type: 'application/octet-stream' }, file, sending)
}
