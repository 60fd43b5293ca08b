import { Drawer } from '@mantine/core'
import { useDisclosure, useDocumentTitle } from '@mantine/hooks'
import { ChatHead } from './chat-head.tsx'
import { FilesPanel } from './side/files-panel.tsx'
import { ConversationList } from './side/conversation-list.tsx'
import { ConversationView } from './conversation-view.tsx'
import { useChatAgents } from './use-agents.ts'
import styles from './chat.module.css'

interface ChatWithProps {
  agent: string
  conversation: string | undefined
  prompt: string | undefined
}

/** An agent, your conversations with it, and the selected one. */
export function ChatWith({ agent, conversation, prompt }: ChatWithProps) {
  const { data } = useChatAgents()
  const known = data?.items.find(({ slug }) => slug === agent)
  const name = known?.name ?? agent
  useDocumentTitle(`${name} · Chat · Toolcrib`)
  const [isListOpen, list] = useDisclosure()
  const [areFilesWanted, files] = useDisclosure()
  const areFilesOpen = areFilesWanted && conversation !== undefined
  return (
    <div className={styles.chat} data-files={areFilesOpen || undefined}>
      <aside className={styles.side} data-inline>
        <ConversationList agent={agent} current={conversation} />
      </aside>
      <div className={styles.main}>
        <ChatHead
          agent={agent}
          name={name}
          model={known?.model}
          onList={list.open}
          {...(conversation !== undefined && { onFiles: files.toggle })}
          areFilesOpen={areFilesOpen}
          conversation={conversation}
        />
        <ConversationView
          agent={agent}
          name={name}
          conversation={conversation}
          model={known?.model ?? ''}
          trouble={known?.problem}
          prompt={prompt}
        />
      </div>
      <Drawer opened={isListOpen} onClose={list.close} title="Conversations">
        <ConversationList agent={agent} current={conversation} onNavigate={list.close} />
      </Drawer>
      {areFilesOpen && (
        <FilesPanel key={conversation} conversation={conversation} onClose={files.close} />
      )}
    </div>
  )
}
