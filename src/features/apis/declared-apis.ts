import { readFile, stat } from 'node:fs/promises'
import { ToolError } from '../../core/kernel/errors.ts'
import type { Principal } from '../../core/kernel/call.ts'
import { isToolError } from '../../core/kernel/errors.ts'
import { maxDocumentBytes } from './document/parse-text.ts'
import { readListing } from './listing.ts'
import { findDocument } from './manage/find-document.ts'
import { keepListing } from './manage/keep-listing.ts'
import { type ApiParts, listApis } from './parts.ts'
import { readKept, type StoredApi } from './read-apis.ts'
import { apiPack } from './spec.ts'

const by: Principal = { kind: 'system', id: 'configuration' }

/**
 * Reads the documents of declared APIs: files once after a start, addresses until it has succeeded
 * once. A failure is reported and tried again.
 */
export function createDeclaredApis(parts: ApiParts, onWarning: (message: string) => void) {
  const read = new Set<string>()
  const told = new Map<string, string>()
  async function readOne(tenant: string, api: StoredApi): Promise<void> {
    const key = `${tenant}/${api.name}`
    if (read.has(key) || api.spec === undefined) return
    const { file } = readKept(api.rule.body)
    const listing = readListing(await parts.rules.find(tenant, 'api-tools', api.name))
    const isKnown = file === undefined && listing?.document !== undefined
    if (!isKnown) await keep(parts, tenant, { ...api, file })
    read.add(key)
  }
  return {
    async readAll(tenants: readonly string[]): Promise<void> {
      for (const tenant of tenants) {
        for (const api of await listApis(parts, tenant)) {
          if (!api.rule.isDeclared) continue
          await readOne(tenant, api).catch((error: unknown) => {
            const message = error instanceof Error ? error.message : String(error)
            const key = `${tenant}/${api.name}`
            if (told.get(key) !== message) onWarning(`The API ${api.name} of ${tenant}: ${message}`)
            told.set(key, message)
          })
        }
      }
    },
  }
}

async function keep(
  parts: ApiParts,
  tenant: string,
  { name, spec, file }: StoredApi & { file: string | undefined },
): Promise<void> {
  if (spec === undefined) return
  const caller = { tenant, principal: by, permissions: [] }
  const bytes =
    file === undefined
      ? await findDocument(
          parts,
          { url: spec.url },
          { caller, pack: apiPack(name), isPrivate: true },
        )
      : { bytes: await readDocumentFile(file) }
  const api = await parts.reader.read(bytes)
  await keepListing(parts, {
    caller,
    name,
    api,
    async prepare(draft) {
      const rule = await draft.find('api', name)
      const [server] = api.facts.servers
      const known = readKept(rule?.body ?? null).body as { server?: string } | null
      if (rule === undefined || known?.server !== undefined || server === undefined) return spec
      // Nothing else may name it: where credentials go must not change with the document.
      await draft.put('api', name, {
        body: { ...known, server, ...(file && { file }) },
        isDeclared: true,
      })
      return { ...spec, server }
    },
  })
}

async function readDocumentFile(file: string): Promise<Uint8Array> {
  try {
    const { size } = await stat(file)
    if (size > maxDocumentBytes)
      throw new ToolError('invalid_config', `${file} is larger than 20 MB`)
    return new Uint8Array(await readFile(file))
  } catch (error) {
    if (isToolError(error)) throw error
    throw new ToolError('invalid_config', `${file} can not be read: ${String(error)}`, {
      cause: error,
    })
  }
}
