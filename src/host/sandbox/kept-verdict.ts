import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import type { DriverVerdict } from './driver.ts'

const schema = z.object({
  fingerprint: z.string(),
  checkedAt: z.string(),
  durationMs: z.number(),
  limits: z.enum(['enforced', 'best-effort', 'none']),
  checks: z.array(
    z.object({
      name: z.string(),
      title: z.string(),
      isOk: z.literal(true),
      detail: z.string().optional(),
    }),
  ),
})

/** A verified sandbox, and when it was verified. */
export interface KeptVerdict {
  verdict: DriverVerdict
  checkedAt: string
  durationMs: number
}

const fileName = 'sandbox-check.json'

/** The result of an earlier check, if everything that it depends on is as it was. */
export async function readKeptVerdict(
  data: string,
  fingerprint: string,
): Promise<KeptVerdict | undefined> {
  const text = await readFile(path.join(data, fileName), 'utf8').catch(() => '{}')
  const parsed = schema.safeParse(parseJson(text))
  if (!parsed.success || parsed.data.fingerprint !== fingerprint) return undefined
  const { limits, checks, checkedAt, durationMs } = parsed.data
  const kept = checks.map(({ name, title, isOk }) => ({ name, title, isOk }))
  return { verdict: { isSafe: true, limits, checks: kept }, checkedAt, durationMs }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Only a sandbox that held is kept: what is repaired should be found at the next start. */
export async function keepVerdict(
  data: string,
  fingerprint: string,
  { verdict, checkedAt, durationMs }: KeptVerdict,
): Promise<void> {
  const file = path.join(data, fileName)
  if (!verdict.isSafe) {
    await rm(file, { force: true }).catch(() => undefined)
    return
  }
  const { limits, checks } = verdict
  const kept = { fingerprint, checkedAt, durationMs, limits, checks }
  const draft = `${file}.${process.pid}`
  // A data folder that can't be written only costs another check.
  await writeFile(draft, JSON.stringify(kept), { mode: 0o600 })
    .then(() => rename(draft, file))
    .catch(() => undefined)
}
