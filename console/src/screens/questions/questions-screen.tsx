import { Tabs } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useCan } from '../../api/me.ts'
import { Page } from '../../ui/page.tsx'
import { QuestionInbox } from './question-inbox.tsx'
import type { QuestionList } from './use-questions.ts'

const route = getRouteApi('/questions')

/** Questions that calls put to people: those for this person, all open ones, and earlier ones. */
export function QuestionsScreen() {
  const { id, show } = route.useSearch()
  const navigate = route.useNavigate()
  const maySeeAll = useCan('approvals.decide')
  const list = toList(show)
  return (
    <Page
      title="Questions"
      description="Calls that wait for an answer from a person. The answer becomes the output of the call."
    >
      <Tabs
        value={list}
        onChange={(next) =>
          void navigate({ search: next === 'mine' || next === null ? {} : { show: next } })
        }
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="mine">For you</Tabs.Tab>
          {maySeeAll && <Tabs.Tab value="all">All open</Tabs.Tab>}
          <Tabs.Tab value="ended">Ended</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value={list}>
          <QuestionInbox key={list} list={list} id={id} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}

function toList(show: string | undefined): QuestionList {
  return show === 'all' || show === 'ended' ? show : 'mine'
}
