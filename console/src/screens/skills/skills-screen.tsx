import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { IconBook2, IconPlus } from '@tabler/icons-react'
import { holds, useCan, useMe } from '../../api/me.ts'
import { FilterInput, isNarrowed, useSearchQuery } from '../../ui/list/filter-input.tsx'
import { LoadMore } from '../../ui/list/load-more.tsx'
import { Page } from '../../ui/page.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Row, RowList, rowLink } from '../../ui/list/row-list.tsx'
import { Empty, Failed, NotAllowed } from '../../ui/states.tsx'
import { Tag } from '../../ui/tag.tsx'
import { TimeAgo } from '../../ui/time.tsx'
import { InstallSkill } from './install-skill.tsx'
import { SkillPage } from './skill-page.tsx'
import { skillsQuery } from './skill-queries.ts'
import type { Skill } from './skill-queries.ts'
import styles from './skills.module.css'

const route = getRouteApi('/skills')
const readers = ['skills.manage', 'agents.manage', 'policy.read']

/** The installed skills, or the one named in the address. */
export function SkillsScreen() {
  const { name } = route.useSearch()
  const { permissions } = useMe()
  const mayRead = readers.some((permission) => holds(permissions, permission))
  if (!mayRead) {
    return (
      <Page title="Skills">
        <NotAllowed>You need skills.manage, agents.manage or policy.read to see skills.</NotAllowed>
      </Page>
    )
  }
  return name === undefined ? <SkillList /> : <SkillPage key={name} name={name} />
}

function SkillList() {
  const [isInstalling, { open, close }] = useDisclosure()
  const mayManage = useCan('skills.manage')
  const { q = '' } = route.useSearch()
  const asked = useSearchQuery(q)
  const skills = useInfiniteQuery(skillsQuery(asked))
  const isFiltered = isNarrowed(q, asked, skills)
  return (
    <Page
      title="Skills"
      description="Instructions and files for agents, with the tools they require."
      actions={
        mayManage && (
          <Button leftSection={<IconPlus size={16} aria-hidden="true" />} onClick={open}>
            Install skill
          </Button>
        )
      }
    >
      {skills.data === undefined ? (
        skills.isError ? (
          <Failed error={skills.error} retry={() => void skills.refetch()} />
        ) : (
          <Loading rows={4} height={72} />
        )
      ) : (
        <Listed
          skills={skills.data.pages.flatMap(({ items }) => items)}
          isFiltered={isFiltered}
          onInstall={mayManage ? open : undefined}
        />
      )}
      <LoadMore query={skills} />
      {isInstalling && <InstallSkill onClose={close} />}
    </Page>
  )
}

interface ListedProps {
  skills: readonly Skill[]
  isFiltered: boolean
  onInstall?: () => void
}

function Listed({ skills, isFiltered, onInstall }: ListedProps) {
  const { q = '' } = route.useSearch()
  const navigate = route.useNavigate()
  if (skills.length === 0 && !isFiltered) {
    return (
      <Empty
        title="No skills installed"
        icon={<IconBook2 size={24} stroke={1.5} aria-hidden="true" />}
        actions={onInstall && <Button onClick={onInstall}>Install skill</Button>}
      >
        A skill is a folder with SKILL.md: instructions for agents, the tools they require, and
        additional files.
      </Empty>
    )
  }
  return (
    <>
      <FilterInput
        mb="md"
        label="Filter skills"
        value={q}
        onChange={(text) =>
          void navigate({ search: text === '' ? {} : { q: text }, replace: true })
        }
      />
      {skills.length === 0 ? (
        <Empty
          title="No skills found"
          actions={
            <Button variant="default" onClick={() => void navigate({ search: {} })}>
              Clear filter
            </Button>
          }
        />
      ) : (
        <RowList>
          {skills.map((skill) => (
            <SkillRow key={skill.name} skill={skill} />
          ))}
        </RowList>
      )}
    </>
  )
}

function SkillRow({ skill }: { skill: Skill }) {
  const { name, description, version, versions, isDeclared, installedAt } = skill
  return (
    <Row
      facts={
        <>
          {isDeclared && <Tag title="Defined in the configuration">From config</Tag>}
          <code>{version.slice(0, 12)}</code>
          <span>
            {versions} {versions === 1 ? 'version' : 'versions'} · <TimeAgo at={installedAt} />
          </span>
        </>
      }
    >
      <Link to="/skills" search={{ name }} className={rowLink}>
        {name}
      </Link>
      <p className={styles.about} dir="auto">
        {description}
      </p>
    </Row>
  )
}
