import { z } from 'zod'
import type { Principal } from '../../core/kernel/call.ts'
import type { Rule } from '../../core/rules/rule-store.ts'

const publishedTool = z.object({
  /** The version in force. */
  hash: z.string(),
  number: z.int(),
  isEnabled: z.boolean(),
  /** For searches. */
  title: z.string().optional(),
  description: z.string().optional(),
  kind: z.string().optional(),
})

/** The rule of a published tool: the version in force. */
export type PublishedTool = z.output<typeof publishedTool>

/** Undefined for a rule in an unknown format. */
export function readPublished(rule: Pick<Rule, 'body'>): PublishedTool | undefined {
  return publishedTool.safeParse(rule.body).data
}

const draftBody = z.object({
  document: z.unknown(),
  /** The published version that it began with. */
  from: z.string().optional(),
})

/** The rule of a draft: anything that its author wrote. */
export interface StoredDraft {
  tool: string
  document: unknown
  from: string | undefined
}

/** Undefined for a rule in an unknown format. */
export function readDraft(rule: Pick<Rule, 'name' | 'body'>): StoredDraft | undefined {
  const { data } = draftBody.safeParse(rule.body)
  const [tool = ''] = rule.name.split('/', 1)
  return data && { tool, document: data.document, from: data.from }
}

/** A draft belongs to its author, so two people never write over each other. */
export function draftName(tool: string, { kind, id }: Principal): string {
  return `${tool}/${kind}:${id}`
}

/** The prefix of all drafts of one tool. */
export function draftPrefix(tool: string): string {
  return `${tool}/`
}
