import { Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { ask } from '../../api/client.ts'
import { fromAnswer } from '../../api/problem.ts'
import { Code } from '../../ui/code.tsx'
import { Panel } from '../../ui/page.tsx'
import { notifyFailure } from '../../ui/notify.ts'
import { QueryView } from '../../ui/query-view.tsx'
import { Empty } from '../../ui/states.tsx'
import type { SkillDetail } from './skill-queries.ts'
import styles from './skills.module.css'

const route = getRouteApi('/skills')
const mostShown = 200_000

/** The files of a skill; text can be viewed, other files downloaded. */
export function SkillFiles({ skill }: { skill: SkillDetail }) {
  const { file: path } = route.useSearch()
  const navigate = route.useNavigate()
  const file = skill.files.find((one) => one.path === path)
  const show = (wanted: string | undefined) =>
    void navigate({
      search: ({ file: _file, ...rest }) => ({ ...rest, ...(wanted && { file: wanted }) }),
    })
  return (
    <Panel title={`${skill.files.length} ${skill.files.length === 1 ? 'file' : 'files'}`}>
      <ul className={styles.patterns}>
        {skill.files.map(({ path: one, bytes, isText }) => (
          <li key={one}>
            {isText ? (
              <button type="button" className={styles.file} onClick={() => show(one)}>
                {one}
              </button>
            ) : (
              <button
                type="button"
                className={styles.file}
                onClick={() => void save(skill, one).catch(notifyFailure)}
              >
                {one}
              </button>
            )}
            <span className={styles.small}>{formatBytes(bytes)}</span>
          </li>
        ))}
      </ul>
      {file !== undefined && (
        <Modal opened onClose={() => show(undefined)} title={file.path} size="xl">
          <FileText skill={skill} path={file.path} />
        </Modal>
      )}
    </Panel>
  )
}

function FileText({ skill, path }: { skill: SkillDetail; path: string }) {
  const text = useQuery({
    queryKey: ['skills', 'file', skill.name, skill.version, path],
    queryFn: async () => (await readBytes(skill, path)).text(),
  })
  return (
    <QueryView query={text}>
      {(whole) =>
        whole === '' ? (
          <Empty title="The file is empty" />
        ) : (
          <>
            <Code text={whole.slice(0, mostShown)} label={path} />
            {whole.length > mostShown && (
              <p className={styles.small}>
                Only the beginning is shown.{' '}
                <button
                  type="button"
                  className={styles.file}
                  onClick={() => void save(skill, path).catch(notifyFailure)}
                >
                  Download the whole file
                </button>
              </p>
            )}
          </>
        )
      }
    </QueryView>
  )
}

/** Fetched like any other request, so that it carries the current tenant. */
async function readBytes(skill: SkillDetail, path: string): Promise<Response> {
  const response = await ask(new Request(addressOf(skill, path)))
  if (response.ok) return response
  throw fromAnswer(await response.json().catch(() => undefined), response)
}

async function save(skill: SkillDetail, path: string): Promise<void> {
  const url = URL.createObjectURL(await (await readBytes(skill, path)).blob())
  const link = document.createElement('a')
  link.href = url
  link.download = path.split('/').at(-1) ?? path
  link.click()
  URL.revokeObjectURL(url)
}

function addressOf({ name, version }: SkillDetail, path: string): string {
  return `/api/v1/skills/${encodeURIComponent(name)}/files/${encodeURIComponent(path)}?version=${version}`
}

function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} KB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}
