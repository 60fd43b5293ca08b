import type { SkillFile } from '../model.ts'

/**
 * The version of a skill: SHA-256 over a line for each file, sorted by path, with the SHA-256 of its
 * content, two spaces and its path. Anybody can compute it with `sha256sum`.
 */
export async function toVersion(files: readonly SkillFile[]): Promise<string> {
  const sorted = files.toSorted((a, b) => (a.path < b.path ? -1 : 1))
  const lines: string[] = []
  for (const { path, bytes } of sorted) lines.push(`${await sha256(bytes)}  ${path}\n`)
  return sha256(new TextEncoder().encode(lines.join('')))
}

async function sha256(bytes: Uint8Array): Promise<string> {
  const digest = await globalThis.crypto.subtle.digest('SHA-256', new Uint8Array(bytes))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
