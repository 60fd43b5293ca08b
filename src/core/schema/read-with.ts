import { z } from 'zod'
import type { Issue } from '../kernel/errors.ts'
import { boundZod } from './bound-zod.ts'
import { cutFindings, maxFindings } from './findings.ts'
import { toPointer } from '../kernel/json/json-pointer.ts'

/** A parsed value, or its problems. */
export type Reading<T> = { ok: true; value: T } | { ok: false; issues: Issue[] }

const maxMessageChars = 1000

/** Parses a value with one of our zod schemas, in bounded time however much of it is wrong. */
export function readWith<T>(schema: z.ZodType<T>, value: unknown): Reading<T> {
  const result = z.core.safeParse(boundZod(schema), value)
  if (result.success) return { ok: true, value: result.data }
  const issues = result.error.issues.slice(0, maxFindings + 1).map(({ path, message }) => ({
    path: toPointer(path),
    // Zod names every unknown key.
    message: message.length > maxMessageChars ? `${message.slice(0, maxMessageChars)}…` : message,
  }))
  return { ok: false, issues: cutFindings(issues) }
}
