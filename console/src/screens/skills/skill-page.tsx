import { Button, Select } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { Suspense } from 'react'
import { api, read } from '../../api/client.ts'
import { useCan } from '../../api/me.ts'
import { isGone } from '../../api/problem.ts'
import { CopyText } from '../../ui/copy.tsx'
import { Page, Panel } from '../../ui/page.tsx'
import { confirm, notifySuccess, notifyFailure } from '../../ui/notify.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Failed } from '../../ui/states.tsx'
import { Tag } from '../../ui/tag.tsx'
import { InstallSkill } from './install-skill.tsx'
import { SkillAgents } from './skill-agents.tsx'
import { SkillFiles } from './skill-files.tsx'
import { skillQuery } from './skill-queries.ts'
import type { SkillDetail } from './skill-queries.ts'
import { formatDateTime } from '../../ui/format/format-date-time.ts'
import styles from './skills.module.css'

const Markdown = lazyPart(async () => (await import('../../output/text/markdown.tsx')).Markdown)

const route = getRouteApi('/skills')

/** One skill: its instructions, requirements and agents. */
export function SkillPage({ name }: { name: string }) {
  const { version } = route.useSearch()
  const skill = useQuery(skillQuery(name, version))
  if (skill.data !== undefined && !isGone(skill.error))
    return <Loaded skill={skill.data} asked={version} />
  return (
    <Page title={name} description={<Link to="/skills">All skills</Link>}>
      {skill.isError ? (
        <Failed error={skill.error} retry={() => void skill.refetch()} />
      ) : (
        <LoadingSkill />
      )}
    </Page>
  )
}

function LoadingSkill() {
  return (
    <div className={styles.columns}>
      <Panel title="Instructions" description="Agents read this with skill.read">
        <Loading rows={5} />
      </Panel>
      <div className={styles.side}>
        <Panel title="Agents with this skill">
          <Loading rows={1} />
        </Panel>
        <Panel title="Required tools" description="An agent with this skill gets these tools">
          <Loading rows={2} height={28} />
        </Panel>
      </div>
    </div>
  )
}

function Loaded({ skill, asked }: { skill: SkillDetail; asked: string | undefined }) {
  const [isInstalling, { open, close }] = useDisclosure()
  const mayManage = useCan('skills.manage') && !skill.isDeclared
  const isOld = asked !== undefined && asked !== skill.versions[0]?.version
  return (
    <Page
      title={skill.name}
      badges={
        <>
          {skill.isDeclared && <Tag>From config</Tag>}
          {isOld && <Tag tone="ask">Older version</Tag>}
        </>
      }
      description={<span dir="auto">{skill.description}</span>}
      actions={
        <>
          <VersionChoice skill={skill} />
          {mayManage && (
            <>
              <Button variant="default" onClick={open}>
                Install another version
              </Button>
              <RemoveSkill skill={skill} />
            </>
          )}
        </>
      }
    >
      <div className={styles.columns}>
        <Panel title="Instructions" description="Agents read this with skill.read">
          <div className={styles.instructions}>
            <Suspense fallback={<Loading rows={5} />}>
              <Markdown text={skill.instructions} />
            </Suspense>
          </div>
        </Panel>
        <div className={styles.side}>
          <SkillAgents skill={skill} />
          <Wants skill={skill} />
          <SkillFiles skill={skill} />
          <p className={styles.small}>
            Version <CopyText text={skill.version} label={skill.version.slice(0, 12)} />
            {skill.manifest.license !== undefined && ` · ${skill.manifest.license}`}
            {skill.isDeclared && ' · Defined in the configuration. Change it there.'}
            {' · '}
            <Link to="/skills">All skills</Link>
          </p>
        </div>
      </div>
      {isInstalling && <InstallSkill onClose={close} />}
    </Page>
  )
}

function VersionChoice({ skill }: { skill: SkillDetail }) {
  const navigate = route.useNavigate()
  if (skill.versions.length < 2) return null
  return (
    <Select
      aria-label="Version"
      w={270}
      allowDeselect={false}
      data={skill.versions.map(({ version, installedAt }) => ({
        value: version,
        label: `${version.slice(0, 12)} · ${formatDateTime(installedAt)}`,
      }))}
      value={skill.version}
      onChange={(version) =>
        version !== null && void navigate({ search: { name: skill.name, version } })
      }
    />
  )
}

/** The tools a skill requires, and the tools allowed while it is active. */
function Wants({ skill: { manifest, unknownTools } }: { skill: SkillDetail }) {
  const { tools, permissions } = manifest
  const missing = new Set(unknownTools)
  return (
    <Panel title="Required tools" description="An agent with this skill gets these tools">
      {tools.length === 0 && <p className={styles.none}>None.</p>}
      <ul className={styles.patterns}>
        {tools.map((tool) => (
          <li key={tool}>
            <code>{tool}</code>
            {missing.has(tool) && <Tag tone="ask">Not installed</Tag>}
          </li>
        ))}
      </ul>
      <p className={styles.none}>{describePermissions(permissions)}</p>
    </Panel>
  )
}

function describePermissions(permissions: SkillDetail['manifest']['permissions']): string {
  if (permissions === undefined) return 'While it is active, no tools are allowed.'
  const { profile, allow = [], deny = [] } = permissions
  const allowed = [...(profile === undefined ? [] : [`profile ${profile}`]), ...allow]
  const denied = deny.length === 0 ? '' : `, not ${deny.join(', ')}`
  return `Allowed while it is active: ${allowed.join(', ') || 'all tools'}${denied}.`
}

function RemoveSkill({ skill }: { skill: SkillDetail }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const agents = skill.enabledBy.map(({ agent }) => agent)
  const remove = useMutation({
    mutationFn: () =>
      read(
        api.DELETE('/api/v1/skills/{name}', {
          params: {
            path: { name: skill.name },
            query: agents.length === 0 ? {} : { force: 'true' },
          },
        }),
      ),
    onSuccess: async () => {
      notifySuccess(`${skill.name} removed`)
      await navigate({ to: '/skills' })
      await queryClient.invalidateQueries({ queryKey: ['skills'] })
    },
    onError: notifyFailure,
  })
  const asked = async () => {
    const isSure = await confirm({
      title: `Remove ${skill.name}?`,
      message:
        agents.length === 0
          ? 'All its versions are deleted. No agent has it.'
          : `All its versions are deleted. It is removed from ${agents.join(', ')}, together with the grants it brought.`,
      confirmLabel: 'Remove',
      isDangerous: true,
    })
    if (isSure) remove.mutate()
  }
  return (
    <Button variant="light" color="red" loading={remove.isPending} onClick={() => void asked()}>
      Remove
    </Button>
  )
}
