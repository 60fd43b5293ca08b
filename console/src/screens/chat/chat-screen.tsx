import { getRouteApi } from '@tanstack/react-router'
import { useCan } from '../../api/me.ts'
import { Page } from '../../ui/page.tsx'
import { NotAllowed } from '../../ui/states.tsx'
import { ChooseAgent } from './choose-agent.tsx'
import { ChatWith } from './chat-with.tsx'

const route = getRouteApi('/chat/{-$agent}/{-$conversation}')

/** Chat with an agent, follow its calls, and decide on its approvals. */
export function ChatScreen() {
  const { agent, conversation } = route.useParams()
  const { prompt } = route.useSearch()
  const mayChat = useCan('agents.chat')
  if (!mayChat) {
    return (
      <Page title="Chat">
        <NotAllowed>You need the permission agents.chat to chat with agents.</NotAllowed>
      </Page>
    )
  }
  if (agent === undefined) return <ChooseAgent prompt={prompt} />
  return <ChatWith agent={agent} conversation={conversation} prompt={prompt} />
}
