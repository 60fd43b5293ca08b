import type { PolicyWords } from '../../../features/explain/schemas.ts'
import type { HttpClient } from './http-client.ts'

/** Packs that are off for this tenant; none for callers who may not read its rules. */
export async function readPacksOff(client: HttpClient): Promise<string[]> {
  try {
    const { packs } = await client.read<PolicyWords>('/policy-words')
    return packs.filter(({ isOn }) => !isOn).map(({ name }) => name)
  } catch {
    return []
  }
}
