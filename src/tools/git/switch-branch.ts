import { z } from 'zod'
import { defineTool } from '../../core/define-tool.ts'
import { branchField, fromRepository, repositoryField } from './git-fields.ts'
import { git } from './run-git.ts'

const most = 200

/** Branches of a repository. */
export const switchBranch = defineTool({
  name: 'git.branch',
  title: 'Switch branches',
  description:
    'List the branches of a repository of the workspace, or switch to one: an existing one by its name, or a new one with create, which starts at what is checked out. Work on a branch of its own before you commit, such as feature/login. Changes that are not committed stay; a switch that would lose some is refused.',
  icon: 'git-branch',
  effect: 'write',
  idempotent: false,
  openWorld: false,
  timeoutMs: 120_000,
  labels: { ...fromRepository, effects: 'local' },
  inputSchema: z.object({
    path: repositoryField,
    name: branchField.describe('The branch to switch to; null to list them').nullable(),
    create: z.boolean().default(false).describe('It is a new branch'),
  }),
  outputSchema: z.object({
    branch: z.string().min(1).nullable().describe('The one checked out now'),
    branches: z.array(z.string()).describe('Branches here, those used last first'),
    remote: z
      .array(z.string())
      .describe('Branches of the server, as of the clone or the last pull'),
    isPartial: z.boolean(),
  }),
  examples: [
    {
      label: 'A new branch',
      input: { path: 'Hello-World', name: 'feature/greeting', create: true },
    },
  ],

  async execute({ path: cwd, name, create }, { processes }) {
    if (name !== null) {
      const args = ['switch', '--quiet', ...(create ? ['--create'] : []), name]
      await git(processes, { cwd, args })
    }
    const list = async (place: string) => {
      const format = ['--format=%(refname)', '--sort=-committerdate', `--count=${most + 1}`]
      const text = await git(processes, { cwd, args: ['for-each-ref', ...format, place] })
      return text.split('\n').flatMap((ref) => (ref === '' ? [] : [ref.slice(place.length)]))
    }
    const head = await git(processes, { cwd, args: ['rev-parse', '--symbolic-full-name', 'HEAD'] })
    const branches = await list('refs/heads/')
    const remote = (await list('refs/remotes/origin/')).filter((one) => one !== 'HEAD')
    return {
      branch: /^refs\/heads\/(.+)$/m.exec(head)?.[1] ?? null,
      branches: branches.slice(0, most),
      remote: remote.slice(0, most),
      isPartial: branches.length > most || remote.length > most,
    }
  },
})
