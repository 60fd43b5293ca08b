import { z } from 'zod'
import { baseUrlSchema } from '../network/base-url-schema.ts'

/** Facts that the tools of this pack share. */
export const githubSecrets = [
  { key: 'github_token', label: 'GitHub token' },
  {
    key: 'github_api_url',
    label: 'API of a GitHub Enterprise Server, such as https://github.example.com/api/v3',
    optional: true,
    sensitive: false,
  },
] as const

export const githubOptions = z.object({
  baseUrl: baseUrlSchema('https://api.github.com').describe('The address of the API'),
})

export const repositorySchema = z
  .string()
  .regex(/^[\w-]{1,39}\/[\w.-]{1,100}$/, { error: 'must be owner/name' })
  // As parts of an address they would lead elsewhere.
  .refine((text) => !/\/\.{1,2}$/.test(text), { error: 'must be owner/name' })
  .describe('The repository, as owner/name')

export const issueNumberSchema = z.int().min(1).describe('The number of the issue')

export const issueSchema = z.object({
  number: z.int(),
  title: z.string(),
  state: z.string(),
  stateReason: z.string().max(100).nullable(),
  url: z.string(),
  author: z.string().max(100).nullable(),
  labels: z.array(z.string()),
  assignees: z.array(z.string()),
  comments: z.int(),
  createdAt: z.string(),
  updatedAt: z.string(),
  closedAt: z.string().max(100).nullable(),
  body: z.string().max(300_000).nullable(),
})

export const commentSchema = z.object({
  id: z.int(),
  url: z.string(),
  author: z.string().max(100).nullable(),
  createdAt: z.string(),
  body: z.string(),
})

export type GithubIssue = z.output<typeof issueSchema>
export type GithubComment = z.output<typeof commentSchema>
