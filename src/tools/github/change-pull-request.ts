import { z } from 'zod'
import { defineTool } from '../../core/define-tool.ts'
import { askGithub, type GithubRequest } from './ask-github.ts'
import { missingField, withoutNulls } from './change-issue.ts'
import { commentSchema, githubOptions, githubSecrets, repositorySchema } from './issue-facts.ts'
import { pullRequestPermission, pullRequestSchema } from './pull-request-facts.ts'
import { toComment } from './read-issue.ts'
import { toPullRequest } from './read-pull-request.ts'

const inputSchema = z.object({
  action: z
    .enum(['create', 'update', 'comment', 'close', 'reopen'])
    .describe('create needs title, head and base; the others a number; comment needs a body'),
  repository: repositorySchema,
  number: z.int().min(1).nullable().describe('The pull request; null to create one'),
  title: z.string().min(1).max(256).nullable().describe('For create and update'),
  body: z
    .string()
    .max(65_536)
    .nullable()
    .describe('Markdown: the text of the pull request, or the comment'),
  head: z
    .string()
    .min(1)
    .max(300)
    .nullable()
    .describe('The pushed branch with the changes, for create; owner:branch in a fork'),
  base: z
    .string()
    .min(1)
    .max(255)
    .nullable()
    .describe('The branch that the changes are for, such as main'),
  draft: z
    .boolean()
    .default(false)
    .describe('Create it as a draft, which nobody is asked to review'),
})
type Input = z.output<typeof inputSchema>

/** Creates, changes, comments on, closes and reopens pull requests on GitHub. */
export const changePullRequest = defineTool({
  name: 'github.pull-request',
  title: 'Change a pull request',
  aliases: ['githubPullRequest'],
  description:
    'Create, update, comment on, close or reopen a pull request on GitHub. It does not merge. Push the branch first, and look with github.pull-request-list whether it has one already. Creating and commenting notifies people, so do it once: if a request fails, look before you repeat it.',
  icon: 'brand-github',
  effect: 'write',
  openWorld: true,
  labels: { reads: ['untrusted'] },
  secrets: [...githubSecrets],
  optionsSchema: githubOptions,
  inputSchema,
  outputSchema: z.object({
    pullRequest: pullRequestSchema.nullable(),
    comment: commentSchema.nullable(),
  }),
  examples: [
    {
      label: 'Create',
      input: {
        action: 'create',
        repository: 'acme/shop',
        number: null,
        title: 'Load the cart once',
        body: 'Closes #12.',
        head: 'faster-cart',
        base: 'main',
        draft: false,
      },
    },
  ],
  sections: [{ key: 'pullRequest', label: 'Pull request', type: 'summary' }],

  async execute(input, ctx) {
    const request = { permission: pullRequestPermission.write, valuesFix, ...toRequest(input) }
    const { value } = await askGithub(request, ctx)
    return input.action === 'comment'
      ? { pullRequest: null, comment: toComment(value) }
      : { pullRequest: toPullRequest(value), comment: null }
  },
})

const valuesFix =
  'Head must be a pushed branch (owner:branch in a fork), base a branch of this repository, with commits between them. A pull request that is merged, or whose branch was deleted, cannot be reopened.'

function toRequest(input: Input): GithubRequest {
  const { action, repository, number, title, body, head, base, draft } = input
  const pulls = `/repos/${repository}/pulls`
  const refuse = (key: string) => missingField(key, `${action} a pull request`)
  if (action === 'create') {
    if (title === null) throw refuse('title')
    if (head === null) throw refuse('head')
    if (base === null) throw refuse('base')
    // Not every plan of GitHub has drafts, so the key is only there when it matters.
    const fields = withoutNulls({ title, body, head, base, draft: draft ? true : null })
    return { method: 'POST', path: pulls, body: fields }
  }
  if (number === null) throw refuse('number')
  const path = `${pulls}/${number}`
  const fields = withoutNulls({ title, body, base })
  switch (action) {
    case 'comment': {
      if (body === null) throw refuse('body')
      // Comments of the conversation belong to the issue behind each pull request.
      return {
        method: 'POST',
        path: `/repos/${repository}/issues/${number}/comments`,
        body: { body },
      }
    }
    case 'close':
      return { method: 'PATCH', path, body: { ...fields, state: 'closed' } }
    case 'reopen':
      return { method: 'PATCH', path, body: { ...fields, state: 'open' } }
    case 'update':
      return { method: 'PATCH', path, body: fields }
  }
}
