import { getRouteApi } from '@tanstack/react-router'
import { useCan } from '../../api/me.ts'
import { Page } from '../../ui/page.tsx'
import { NotAllowed } from '../../ui/states.tsx'
import { ChooseAgent } from './choose-agent.tsx'
import { ChatWith } from './chat-with.tsx'

const route = getRouteApi('/chat/{-$agent}/{-$conversation}')

/** Talk to an agent, see what it does, and decide on what it asks. */
export function ChatScreen() {
  const { agent, conversation } = route.useParams()
  const { say } = route.useSearch()
  const mayChat = useCan('agents.chat')
  if (!mayChat) {
    return (
      <Page title="Chat">
        <NotAllowed>Talking to agents needs the permission agents.chat.</NotAllowed>
      </Page>
    )
  }
  if (agent === undefined) return <ChooseAgent say={say} />
  return <ChatWith agent={agent} conversation={conversation} say={say} />
}
