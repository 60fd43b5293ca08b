import { z } from 'zod'
import { defineTool } from '../../core/define-tool.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { askGithub, type GithubRequest } from './ask-github.ts'
import {
  commentSchema,
  githubOptions,
  githubSecrets,
  issueSchema,
  repositorySchema,
} from './issue-facts.ts'
import { toComment, toIssue } from './read-issue.ts'

const inputSchema = z.object({
  action: z
    .enum(['create', 'update', 'comment', 'close', 'reopen'])
    .describe('create needs a title; the others a number; comment needs a body'),
  repository: repositorySchema,
  number: z.int().min(1).nullable().describe('The issue; null to create one'),
  title: z.string().min(1).max(256).nullable().describe('For create and update'),
  body: z
    .string()
    .max(65_536)
    .nullable()
    .describe('Markdown: the text of the issue, or the comment'),
  labels: z.array(z.string().max(100)).max(50).nullable().describe('Replaces all labels'),
  assignees: z.array(z.string().max(100)).max(10).nullable().describe('Logins; replaces all'),
  reason: z.enum(['completed', 'not_planned']).nullable().describe('Why it is closed (completed)'),
})
type Input = z.output<typeof inputSchema>

/** Creates, changes, comments on, closes and reopens issues on GitHub. */
export const changeIssue = defineTool({
  name: 'github.issue',
  title: 'Change an issue',
  aliases: ['githubIssue'],
  description:
    'Create, update, comment on, close or reopen an issue on GitHub. Look with github.issue-list first whether it exists already. Creating and commenting notifies people, so do it once: if a request fails, look before you repeat it.',
  icon: 'brand-github',
  effect: 'write',
  openWorld: true,
  labels: { reads: ['untrusted'] },
  secrets: [...githubSecrets],
  optionsSchema: githubOptions,
  inputSchema,
  outputSchema: z.object({ issue: issueSchema.nullable(), comment: commentSchema.nullable() }),
  examples: [
    {
      label: 'Comment',
      input: {
        action: 'comment',
        repository: 'acme/shop',
        number: 12,
        title: null,
        body: 'Fixed in 4.2.',
        labels: null,
        assignees: null,
        reason: null,
      },
    },
  ],
  sections: [{ key: 'issue', label: 'Issue', type: 'summary' }],

  async execute(input, ctx) {
    const { value } = await askGithub(toRequest(input), ctx)
    return input.action === 'comment'
      ? { issue: null, comment: toComment(value) }
      : { issue: toIssue(value), comment: null }
  },
})

function toRequest(input: Input): GithubRequest {
  const { action, repository, number, title, body, labels, assignees, reason } = input
  const missing = (key: string) => missingField(key, `${action} an issue`)
  const issues = `/repos/${repository}/issues`
  const fields = withoutNulls({ title, body, labels, assignees })
  if (action === 'create') {
    if (title === null) throw missing('title')
    return { method: 'POST', path: issues, body: fields }
  }
  if (number === null) throw missing('number')
  const path = `${issues}/${number}`
  switch (action) {
    case 'comment':
      if (body === null) throw missing('body')
      return { method: 'POST', path: `${path}/comments`, body: { body } }
    case 'close': {
      const state = { state: 'closed', state_reason: reason ?? 'completed' }
      return { method: 'PATCH', path, body: { ...fields, ...state } }
    }
    case 'reopen':
      return { method: 'PATCH', path, body: { ...fields, state: 'open' } }
    case 'update':
      return { method: 'PATCH', path, body: fields }
  }
}

export function withoutNulls(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
}

/** A key that may be null, but not for this. */
export function missingField(key: string, purpose: string): ToolError {
  const message = `is needed to ${purpose}`
  return new ToolError('invalid_input', `${key} ${message}`, {
    issues: [{ path: `/${key}`, message }],
  })
}
