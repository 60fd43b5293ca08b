import { isRecord } from '../kernel/json/json-type.ts'
import type { Rule } from './rule-store.ts'

const fields = ['name', 'title', 'description', 'model'] as const

/** The texts by which a rule is searched: its name, and its own description. */
export function wordsOfRule({ name, body }: Pick<Rule, 'name' | 'body'>): string[] {
  const said = isRecord(body) ? fields.map((field) => body[field]) : []
  return [name, ...said.filter((text) => typeof text === 'string')]
}
