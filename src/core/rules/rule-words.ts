import { isRecord } from '../kernel/json/json-type.ts'
import type { Rule } from './rule-store.ts'

const fields = ['name', 'title', 'description', 'model'] as const

/** What people look a rule up by: its name, and what it says of itself in words. */
export function wordsOfRule({ name, body }: Pick<Rule, 'name' | 'body'>): string[] {
  const said = isRecord(body) ? fields.map((field) => body[field]) : []
  return [name, ...said.filter((text) => typeof text === 'string')]
}
